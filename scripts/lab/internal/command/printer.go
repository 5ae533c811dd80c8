package command

import (
	"context"
	"fmt"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/pdftext"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
)

// A printer makes PDFs of notebooks.
type printer struct{ compiler *typst.Compiler }

// newPrinter finds Typst on PATH, or installs it into .lab.
func (e *env) newPrinter(ctx context.Context) (*printer, error) {
	if c := typst.Installed(ctx); c != nil {
		return &printer{c}, nil
	}
	python, err := setup.Typst(ctx, e.Project, setup.Options{Log: e.out})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w\nPDFs are made by Typst. The tool installs it into .lab, which needs Python 3.9 or newer and, the first time, a network; or install typst %s and add it to PATH. With --html, only pages are written", err, typst.Version)
	}
	return &printer{typst.Python(python)}, nil
}

// notebook makes the PDF of one notebook. Notes are for its reader.
func (p *printer) notebook(ctx context.Context, s export.Source) (pdf []byte, notes []string, err error) {
	return p.document(ctx, func(o export.PrintOptions) (*export.Document, error) { return export.Print(ctx, s, o) })
}

// book makes the PDF of many notebooks.
func (p *printer) book(ctx context.Context, info export.BookInfo, sources []export.Source) (pdf []byte, notes []string, err error) {
	return p.document(ctx, func(o export.PrintOptions) (*export.Document, error) {
		return export.PrintBook(ctx, info, sources, o)
	})
}

func (p *printer) document(ctx context.Context, write func(export.PrintOptions) (*export.Document, error)) (pdf []byte, notes []string, err error) {
	var warnings []string
	pdf, notes, err = p.compiler.Make(ctx, func(unknown []string) (map[string][]byte, error) {
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

// printers are the packages of the tool that make pages and PDFs.
var printers = []string{project.Module + "/scripts/lab/internal/export", project.Module + "/scripts/lab/internal/typst", project.Module + "/scripts/lab/internal/pdftext"}

// printKey returns the key of the page and the PDF of a notebook, which are the same on every
// machine.
func (e *env) printKey(s export.Source) (string, error) {
	made, err := s.Key()
	if err != nil {
		return "", err
	}
	tool, err := e.keys().Packages(printers...)
	return key.Of(made, tool), err
}
