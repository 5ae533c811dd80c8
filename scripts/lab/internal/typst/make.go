package typst

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Make makes the PDF of the document that write returns. Characters that the document's own
// fonts lack are drawn from the fonts of the machine. If these lack them too, write is called
// again with the pieces of text that cannot be shown, so that it replaces them. A document
// that breaks a rule of PDF/UA becomes a plain PDF. Notes are for the reader of the PDF.
func (c *Compiler) Make(ctx context.Context, write func(unknown []string) (map[string][]byte, error)) (pdf []byte, notes []string, err error) {
	var o Options
	var unknown []string
	for {
		files, err := write(unknown)
		if err != nil {
			return nil, nil, err
		}
		for {
			var messages string
			pdf, messages, err = c.Compile(ctx, files, o)
			var missing *MissingError
			var refused *Error
			switch {
			case err == nil:
				if messages != "" {
					notes = append(notes, "Typst: "+firstLines(messages))
				}
				return pdf, notes, nil
			case errors.As(err, &missing) && !o.SystemFonts:
				o.SystemFonts = true
				continue
			case errors.As(err, &missing) && slices.ContainsFunc(missing.Text, func(s string) bool { return !slices.Contains(unknown, s) }):
				unknown = append(unknown, missing.Text...)
				slices.SortFunc(unknown, func(a, b string) int { return len(b) - len(a) })
			case (missing != nil || errors.As(err, &refused)) && !o.Untagged:
				o.Untagged = true
				notes = append(notes, "the PDF breaks a rule of PDF/UA, so screen readers may not read it well: "+strings.TrimPrefix(err.Error(), "Typst: "))
				continue
			default:
				return nil, nil, err
			}
			break
		}
	}
}
