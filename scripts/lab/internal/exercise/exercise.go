package exercise

import (
	"fmt"
	"go/ast"
	"regexp"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// An Exercise is one thing that students write. Cells are counted from 0.
type Exercise struct {
	Number   int
	Title    string
	Points   int
	Text     int      // the markdown cell that sets it
	Solution int      // the cell that holds the worked solution
	Graded   int      // the cell that checks it
	Names    []string // the functions that are written, "Split.Loss" for a method
}

var (
	headingLine = regexp.MustCompile(`(?m)^#+ +Exercise\b.*$`)
	heading     = regexp.MustCompile(`^### Exercise (\d+): (\S.*) \((\d+) points?\)\s*$`)
	checkCall   = regexp.MustCompile(`\bnbkit\.Check\(`)
	aCase       = regexp.MustCompile(`\bnbkit\.(Call\(|Case\{)`)
	markerLine  = regexp.MustCompile(`(?m)^\s*// (?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS)\s*$`)
	mainLine    = regexp.MustCompile(`(?m)^%%`)
)

// Find reads the exercises of a notebook, and tells what is missing from them, and from
// its [Tasks].
func Find(nb *notebook.Notebook) ([]Exercise, []notebook.Problem) {
	f := &finder{nb: nb}
	for i, c := range nb.Cells {
		if line := markerLine.FindString(c.Source); c.Type != "code" && line != "" {
			f.bad(i, "has the marker %q, which hides nothing in a cell that is not code", strings.TrimSpace(line))
		}
		switch {
		case c.Type == "markdown" && headingLine.MatchString(outsideFences(c.Source)):
			f.text(i)
		case c.Type == "code":
			f.code(i)
		}
	}
	f.end()
	_, problems := Tasks(nb)
	return f.found, append(f.problems, problems...)
}

type finder struct {
	nb       *notebook.Notebook
	found    []Exercise
	open     *Exercise // whose graded cell is still to come
	problems []notebook.Problem
}

func (f *finder) bad(i int, format string, args ...any) {
	f.problems = append(f.problems, notebook.Problem{Cell: i, ID: f.nb.Cells[i].ID, Text: fmt.Sprintf(format, args...)})
}

// text begins the exercise that a markdown cell sets.
func (f *finder) text(i int) {
	f.end()
	c := f.nb.Cells[i]
	lines := headingLine.FindAllString(outsideFences(c.Source), -1)
	e := &Exercise{Number: len(f.found) + 1, Text: i, Solution: -1, Graded: -1}
	f.open = e
	switch m := heading.FindStringSubmatch(lines[0]); {
	case len(lines) > 1:
		f.bad(i, "sets %d exercises; one cell sets one", len(lines))
	case m == nil:
		f.bad(i, "%q is not like \"### Exercise %d: what to write (3 points)\"", lines[0], e.Number)
	default:
		number, _ := strconv.Atoi(m[1])
		e.Title = m[2]
		e.Points, _ = strconv.Atoi(m[3])
		if number != e.Number {
			f.bad(i, "is exercise %d, the one before was %d; number them from 1", number, e.Number-1)
			e.Number = number
		}
	}
	if !hintLead.MatchString(c.Source) {
		f.bad(i, "exercise %d has no hint: a paragraph that begins with **Hint.**", e.Number)
	}
}

// code takes a code cell for the part of an exercise that it is.
func (f *finder) code(i int) {
	c := f.nb.Cells[i]
	found, err := regions(c.Source)
	if err != nil {
		f.bad(i, "%v", err)
	}
	points, graded := c.Points()
	solution, hidden := c.IsSolution(), false
	for _, r := range found {
		hidden = hidden || r.Hidden
	}
	if solution {
		f.solution(i, found)
	}
	switch e := f.open; {
	case !graded && hidden:
		f.bad(i, "has hidden tests but no points; write \"nbgrader\": {\"points\": 3} into its metadata")
	case !graded:
	case solution:
		f.bad(i, "is a solution and graded at once; a cell of its own checks it")
	case e == nil:
		f.bad(i, "gives points, but no exercise is set before it")
	case e.Solution < 0:
		f.bad(i, "checks exercise %d before its solution cell", e.Number)
	case e.Graded >= 0:
		f.bad(i, "checks exercise %d a second time; one cell gives its points", e.Number)
	default:
		e.Graded = i
		f.checks(e, points, found)
	}
}

// solution takes cell i for the worked solution of the open exercise.
func (f *finder) solution(i int, found []region) {
	e := f.open
	switch {
	case e == nil || e.Text != i-1:
		f.bad(i, "holds a solution, but the cell before it is not a text with a heading \"### Exercise %d: what to write (3 points)\"", len(f.found)+1)
		return
	case e.Solution >= 0:
		f.bad(i, "is a second solution of exercise %d", e.Number)
		return
	}
	e.Solution = i
	split := cell.Split(f.nb.Cells[i].Source)
	file, err := split.Parse()
	if err != nil {
		f.bad(i, "is not Go: %v", err)
		return
	}
	for _, r := range found {
		if r.Hidden {
			f.bad(i, "line %d: hidden tests stand in the graded cell, not in the solution", r.First+1)
			continue
		}
		fn := functionAround(file, split, r)
		if fn == nil {
			f.bad(i, "line %d: a solution is the body of a function, or part of it; signature and doc comment stand outside the markers", r.First+1)
			continue
		}
		if fn.Doc == nil {
			f.bad(i, "%s has no doc comment that says what students are to write", cell.FuncName(fn))
		}
		e.Names = append(e.Names, cell.FuncName(fn))
	}
}

// functionAround is the function in whose body a region lies.
func functionAround(file *ast.File, split *cell.Cell, r region) *ast.FuncDecl {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Body != nil && split.Line(fn.Body.Lbrace) <= r.First && r.Last <= split.Line(fn.Body.Rbrace) &&
			split.Line(fn.Body.Lbrace) != split.Line(fn.Body.Rbrace) {
			return fn
		}
	}
	return nil
}

// checks looks at the graded cell of e.
func (f *finder) checks(e *Exercise, points int, found []region) {
	c := f.nb.Cells[e.Graded]
	if points < 1 {
		f.bad(e.Graded, "exercise %d gives %d points; one at least", e.Number, points)
	}
	if e.Points > 0 && points != e.Points {
		f.bad(e.Graded, "gives %d points, the heading of exercise %d says %d", points, e.Number, e.Points)
	}
	if n := len(checkCall.FindAllString(c.Source, -1)); n != 1 || !mainLine.MatchString(c.Source) {
		f.bad(e.Graded, "a graded cell has a line %%%% and one nbkit.Check; this has %d", n)
	}
	visible, hidden := 0, 0
	lines := strings.Split(c.Source, "\n")
	for i, line := range lines {
		n := len(aCase.FindAllString(line, -1))
		if inRegion(found, i) {
			hidden += n
		} else {
			visible += n
		}
	}
	if visible == 0 {
		f.bad(e.Graded, "exercise %d has no visible case", e.Number)
	}
	if hidden == 0 {
		f.bad(e.Graded, "exercise %d has no case between %s and %s", e.Number, notebook.BeginHidden, notebook.EndHidden)
	}
}

func inRegion(found []region, line int) bool {
	for _, r := range found {
		if r.First < line && line < r.Last {
			return true
		}
	}
	return false
}

// end closes the open exercise.
func (f *finder) end() {
	e := f.open
	if e == nil {
		return
	}
	f.open = nil
	switch {
	case e.Solution < 0:
		f.bad(e.Text, "exercise %d has no solution cell right after its text", e.Number)
	case e.Graded < 0:
		f.bad(e.Text, "exercise %d has no graded cell: \"nbgrader\": {\"points\": %d} in its metadata", e.Number, max(e.Points, 1))
	}
	f.found = append(f.found, *e)
}

var fenced = regexp.MustCompile("(?ms)^ {0,3}```.*?^ {0,3}```")

// outsideFences is a markdown text without its fenced code.
func outsideFences(source string) string { return fenced.ReplaceAllString(source, "") }
