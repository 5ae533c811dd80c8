// Package printing makes PDFs. Notebooks flow in, which package export writes as documents; the
// bytes of a PDF flow out, set by Typst, whose formulas can be searched for and copied as text.
package printing

import (
	"context"
	"fmt"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/pdftext"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
)

// A Printer makes PDFs of notebooks.
type Printer struct{ Compiler *typst.Compiler }

// Notebook makes the PDF of one notebook. Notes are for its reader.
func (p *Printer) Notebook(ctx context.Context, s export.Source) (pdf []byte, notes []string, err error) {
	return p.document(ctx, func(o export.PrintOptions) (*export.Document, error) { return export.Print(ctx, s, o) })
}

// Book makes the PDF of many notebooks.
func (p *Printer) Book(ctx context.Context, info export.BookInfo, sources []export.Source) (pdf []byte, notes []string, err error) {
	return p.document(ctx, func(o export.PrintOptions) (*export.Document, error) {
		return export.PrintBook(ctx, info, sources, o)
	})
}

func (p *Printer) document(ctx context.Context, write func(export.PrintOptions) (*export.Document, error)) (pdf []byte, notes []string, err error) {
	var warnings []string
	pdf, notes, err = p.Compiler.Make(ctx, func(unknown []string) (map[string][]byte, error) {
		d, err := write(export.PrintOptions{Unknown: unknown})
		if err != nil {
			return nil, err
		}
		warnings = d.Warnings
		return d.Files, nil
	})
	if err != nil {
		return nil, nil, err
	}
	notes = append(warnings, notes...)
	if withText, err := pdftext.WithText(pdf); err == nil {
		pdf = withText
	} else {
		notes = append(notes, fmt.Sprintf("formulas of the PDF cannot be searched for or copied as text: %v", err))
	}
	return pdf, notes, nil
}
