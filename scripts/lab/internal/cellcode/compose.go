package cellcode

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Program is what a notebook's code cells make when they are put together: all
// declarations, and a function for the body of each cell.
type Program struct {
	// Main is its main.go, Harness a second file: called with the number of a cell,
	// from 0, the program runs that cell's body.
	Main, Harness []byte
}

var nbkitCheck = regexp.MustCompile(`\bnbkit\.Check\(`)

// Compose makes the program of a notebook. Checks in cells with points report their
// score on a line of standard output ([Score]) instead of showing it. The lines of the
// program are called after the cells, "cell3:7" being line 7 of cell 3, both from 1.
// Cells that are meant to fail are left out.
func Compose(nb *notebook.Notebook) (*Program, error) {
	var decls, bodies, cases strings.Builder
	var specs []string
	for i, cell := range nb.Cells {
		if cell.Type != "code" || cell.HasTag(notebook.TagRaises) {
			continue
		}
		c := Split(cell.Source)
		top, found, err := c.withoutImports()
		if err != nil {
			return nil, fmt.Errorf("cell %d (id %s) is not Go: %w", i+1, cell.ID, err)
		}
		specs = append(specs, found...)
		fmt.Fprintf(&decls, "//line cell%d:1\n%s", i+1, top)
		if !c.HasMain || strings.TrimSpace(c.Main) == "" {
			continue
		}
		body := c.Main
		if _, graded := cell.Points(); graded {
			body = nbkitCheck.ReplaceAllString(body, "labCheck(")
		}
		fmt.Fprintf(&bodies, "func labCell%d() {\n//line cell%d:%d\n%s\n}\n", i, i+1, c.MainLine+1, body)
		fmt.Fprintf(&cases, "\tcase \"%d\":\n\t\tlabCell%d()\n", i, i)
	}
	slices.Sort(specs)
	specs = slices.Compact(specs)
	rest := decls.String() + bodies.String()
	used, err := neededImports(specs, rest)
	if err != nil {
		return nil, errors.New(inCells(err.Error()))
	}
	return &Program{
		Main:    []byte(importing(used) + rest),
		Harness: []byte(harness + cases.String() + "\t}\n}\n"),
	}, nil
}

func importing(specs []string) string {
	var b strings.Builder
	b.WriteString(header)
	for _, s := range specs {
		fmt.Fprintf(&b, "import %s\n", s)
	}
	return b.String()
}

// harness is the start of the second file. A score goes to standard output behind a
// mark that nothing else begins with.
const harness = `package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/mllabs-go/mllabs/notebooks/nbkit"
)

func labCheck(title string, cases ...nbkit.Case) bool {
	var score struct {
		Title                   string
		Passed, Of, Unwritten   int
		Failed                  []string
	}
	score.Title, score.Of = title, len(cases)
	for i, err := range nbkit.Grade(cases...) {
		if err == nil {
			score.Passed++
			continue
		}
		if errors.Is(err, nbkit.ErrNotImplemented) {
			score.Unwritten++
		}
		score.Failed = append(score.Failed, fmt.Sprintf("%s: %v", cases[i].Name, err))
	}
	line, err := json.Marshal(score)
	if err != nil {
		panic(err)
	}
	fmt.Printf("\n` + scoreMark + `%s\n", line)
	return score.Passed == score.Of
}

func main() {
	switch os.Args[1] {
`

const scoreMark = `\x1fscore `

var cellLine = regexp.MustCompile(`(?m)(?:[^\s:]*/)?\bcell(\d+):(\d+)(?::\d+)?`)

// inCells says "cell 3, line 7" in a text of the compiler or of goimports.
func inCells(text string) string {
	return cellLine.ReplaceAllString(text, "cell $1, line $2")
}

// withoutPackage removes what the go command says around the errors of the compiler.
func withoutPackage(text []byte) string {
	var lines []string
	for line := range bytes.Lines(text) {
		if s := strings.TrimSpace(string(line)); s != "" && !strings.HasPrefix(s, "#") {
			lines = append(lines, s)
		}
	}
	return strings.Join(lines, "\n")
}
