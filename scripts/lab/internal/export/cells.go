package export

import (
	"context"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// Cells are a notebook rendered cell by cell, for a page that somebody else lays out.
// Each piece of HTML holds only what a page of this package may hold.
type Cells struct {
	Title    string
	Headings []Heading // of the markdown
	Cells    []RenderedCell
	Warnings []string
}

// A RenderedCell is a cell with its HTML.
type RenderedCell struct {
	*notebook.Cell
	// Text is the HTML of a markdown cell, with ids for its headings.
	Text string
	// Code is the highlighted source of a code cell. Its text is the source.
	Code string
	// Shown are the outputs of a code cell, "" if there are none.
	Shown string
	// Headings are those of a markdown cell.
	Headings []Heading
}

// RenderCells renders a notebook cell by cell. Links to other notebooks get the address
// that to returns for their path below the folder of the notebooks, and for the heading
// in it if fragment is not "". Its one error is the end of ctx.
func RenderCells(ctx context.Context, s Source, to func(target, fragment string) string) (*Cells, error) {
	k := newHTML(ctx, s, "", to)
	all := &Cells{}
	allowed := pagePolicy().Sanitize
	for i, cell := range s.Notebook.Cells {
		k.cell = i
		r := RenderedCell{Cell: cell}
		switch cell.Type {
		case "markdown":
			before := len(k.headings)
			r.Text = allowed(k.text(cell.Source, cell.Attachments))
			r.Headings = k.headings[before:]
		case "code":
			if strings.TrimSpace(cell.Source) != "" {
				r.Code, r.Shown = allowed(highlightCell(cell.Source)), allowed(strings.Join(k.outputs(cell.Outputs), "\n"))
			}
		}
		all.Cells = append(all.Cells, r)
	}
	if err := ctx.Err(); err != nil {
		return nil, err // formulas are missing
	}
	all.Title, all.Headings, all.Warnings = k.title(), k.headings, k.warnings
	return all, nil
}

// A Piece is a piece of markdown that belongs to no notebook, such as a course's
// description, as HTML. Its links are kept if they are absolute.
func Piece(ctx context.Context, root, markdown string) (string, error) {
	s := Source{Notebook: &notebook.Notebook{Cells: []*notebook.Cell{{Type: "markdown", Source: markdown}}}, Folder: root, Root: root}
	c, err := RenderCells(ctx, s, func(string, string) string { return "" })
	if err != nil {
		return "", err
	}
	return c.Cells[0].Text, nil
}
