package submission

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// Oracle: the cells are written so that it is plain which of them answers.
func TestTexts(t *testing.T) {
	md := func(id, source string) *notebook.Cell {
		return &notebook.Cell{Type: "markdown", ID: id, Source: source}
	}
	code := func(id, source string) *notebook.Cell { return &notebook.Cell{Type: "code", ID: id, Source: source} }
	points := func(c *notebook.Cell) *notebook.Cell {
		c.Metadata = map[string]any{"tags": []any{notebook.TagAnswer}, "nbgrader": map[string]any{"points": 1}}
		return c
	}
	worked := &notebook.Notebook{Cells: []*notebook.Cell{
		md("ask", "### Question 1: which k? (2 points)\n\n**Rubric.** One each."), points(md("why", "15.")), points(code("draw", "%%\nplot()")), md("next", "## Next")}}
	tasks, problems := exercise.Tasks(worked)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	course := NewCourse(worked, nil, tasks)
	stub, picture := "*Write your answer here.*", base64.StdEncoding.EncodeToString([]byte("PNG"))
	with := func(c *notebook.Cell, n int, kind string, data any) *notebook.Cell {
		for range n {
			c.Outputs = append(c.Outputs, &notebook.Output{Data: map[string]any{kind: data}})
		}
		return c
	}
	for _, tc := range []struct {
		name      string
		cells     []*notebook.Cell
		why, draw string // "" for no answer
		pictures  int    // of draw
		cut       bool
	}{
		{"both", []*notebook.Cell{md("ask", "x"), md("why", "wide"), code("draw", "%%\nmine()")}, "wide", "%%\nmine()", 0, false},
		{"neither", []*notebook.Cell{md("ask", "x"), md("why", stub), code("draw", "%%\n// Write your code here.")}, "", "", 0, false},
		{"deleted", []*notebook.Cell{md("ask", "x"), md("next", "## Next")}, "", "", 0, false},
		{"reordered", []*notebook.Cell{code("draw", "a"), md("next", "## Next"), md("why", "wide"), md("ask", "x")}, "wide", "a", 0, false},
		{"in a cell of its own, below the place", []*notebook.Cell{md("why", stub), md("mine", "wide"), code("scratch", "x"), md("more", "and flat"), md("next", "## Next"), md("other", "not this")}, "wide\n\nand flat", "", 0, false},
		{"gone on with below", []*notebook.Cell{md("why", "wide"), md("mine", "and flat"), code("draw", "a")}, "wide\n\nand flat", "a", 0, false},
		{"ids lost", []*notebook.Cell{md("", "### Question 1: which k? (2 points)\n\nAs edited."), md("", "wide"), code("", "a"), md("", "## Next")}, "wide", "a", 0, false},
		{"ids lost, and the course's next text", []*notebook.Cell{md("ask", "x"), md("next", "## Next"), md("", "not this")}, "", "", 0, false},
		{"a figure", []*notebook.Cell{with(code("draw", "a"), 1, "image/png", picture)}, "", "a", 1, false},
		{"more figures than are shown", []*notebook.Cell{with(code("draw", "a"), maxPictures+1, "image/jpeg", picture)}, "", "a", maxPictures, true},
		{"no picture", []*notebook.Cell{with(code("draw", "a"), 1, "image/png", "!")}, "", "a", 0, false},
		{"a picture that holds a script", []*notebook.Cell{with(code("draw", "a"), 1, "image/svg+xml", "<svg/>")}, "", "a", 0, false},
		{"a picture larger than is shown", []*notebook.Cell{with(code("draw", "a"), 1, "image/png", base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("x"), maxPicture+1)))}, "", "a", 0, true},
	} {
		a := course.Answers(&notebook.Notebook{Cells: tc.cells})
		if a.Texts["why"].Source != tc.why || a.Texts["draw"].Source != tc.draw {
			t.Errorf("%s: %v", tc.name, a.Texts)
		}
		if d := a.Texts["draw"]; len(d.Pictures) != tc.pictures || d.Cut != tc.cut {
			t.Errorf("%s: %d pictures, cut %v", tc.name, len(d.Pictures), d.Cut)
		}
		if a.Written != len(a.Texts) {
			t.Errorf("%s: %d written", tc.name, a.Written)
		}
	}
	long := course.Answers(&notebook.Notebook{Cells: []*notebook.Cell{md("why", strings.Repeat("é", maxText))}}).Texts["why"]
	if !long.Cut || len(long.Source) != maxText {
		t.Errorf("%d bytes of a long answer, cut %v", len(long.Source), long.Cut)
	}
}
