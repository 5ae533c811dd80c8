package pattern

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// The size of a code cell that can be read without scrolling and printed without
// breaking its lines. A tab reaches to the next multiple of tabWidth, as on the pages.
const (
	MaxLines   = 20
	MaxColumns = 88
	tabWidth   = 4
)

// cells holds code cells to their size, and wants prose before each but the import cell;
// a heading alone is no prose.
func (c *checker) cells() {
	code := -1 // the code cell before, -1 where prose has been since
	for i, cell := range c.nb.Cells {
		switch cell.Type {
		case "markdown":
			if strings.ContainsFunc(c.texts[i].Prose, unicode.IsLetter) || len(c.texts[i].Formulas) > 0 {
				code = -1
			}
			continue
		case "raw":
			continue
		}
		lines := strings.Split(strings.TrimSpace(cell.Source), "\n")
		if len(lines) > MaxLines {
			c.bad(i, "has %d lines, %d at most; split it or move code into a package", len(lines), MaxLines)
		}
		for n, line := range strings.Split(cell.Source, "\n") {
			if w := columns(line); w > MaxColumns {
				c.bad(i, "line %d has %d columns, %d at most; it would be broken in print", n+1, w, MaxColumns)
			}
		}
		if code >= 0 && !isImports(cell) {
			c.bad(i, "follows a code cell; say in a sentence before it what it does")
		}
		code = i
	}
}

// columns is the width of a line in characters.
func columns(line string) int {
	n := 0
	for _, r := range line {
		if r == '\t' {
			n += tabWidth - n%tabWidth
		} else {
			n++
		}
	}
	return n
}

var notebookCall = regexp.MustCompile(`(?m)^var _ = nbkit\.Notebook\(`)

// isImports says whether a cell is the import cell, which also names the notebook.
func isImports(c *notebook.Cell) bool {
	return notebookCall.MatchString(c.Source) && strings.HasPrefix(strings.TrimSpace(c.Source), "import")
}
