// Package pattern holds notebooks to the pattern that all of them follow: cells that
// can be read, prose before code, exercises and questions with all their parts,
// numbers that the outputs show, names that a reader can see. It also measures them, for a table that tells a
// writer where to look.
package pattern

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Report is what was found in a notebook.
type Report struct {
	Figures
	Problems []notebook.Problem
}

// Check measures a notebook and finds where it leaves the pattern. What a notebook
// of the first edition does is counted in the same way; whether it fails is up to the
// caller.
func Check(nb *notebook.Notebook) Report {
	c := &checker{nb: nb, texts: make([]export.Markdown, len(nb.Cells))}
	for i, cell := range nb.Cells {
		if cell.Type == "markdown" {
			c.texts[i] = export.ReadMarkdown(cell.Source)
		}
	}
	c.cells()
	exercises, problems := exercise.Find(nb)
	c.problems = append(c.problems, problems...)
	questions := c.questions()
	c.alts()
	c.numbers()
	c.ids()
	slices.SortStableFunc(c.problems, func(a, b notebook.Problem) int { return cmp.Compare(a.Cell, b.Cell) })
	return Report{Figures: measure(nb, exercises, questions), Problems: c.problems}
}

type checker struct {
	nb       *notebook.Notebook
	texts    []export.Markdown // of the markdown cells, by their index
	problems []notebook.Problem
}

func (c *checker) bad(i int, format string, args ...any) {
	c.problems = append(c.problems, notebook.Problem{Cell: i, ID: c.nb.Cells[i].ID, Text: fmt.Sprintf(format, args...)})
}
