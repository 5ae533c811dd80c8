package exercise

import (
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A notebook of two exercises, the second with a hidden test and a helper that only it
// uses, and a question whose answer gives points.
func TestCheckAll(t *testing.T) {
	graded := func(points int) map[string]any { return map[string]any{"nbgrader": map[string]any{"points": points}} }
	code := func(id, source string, meta map[string]any) *notebook.Cell {
		return &notebook.Cell{Type: "code", ID: id, Source: source, Metadata: meta}
	}
	text := func(id, source string) *notebook.Cell {
		return &notebook.Cell{Type: "markdown", ID: id, Source: source, Metadata: map[string]any{}}
	}
	solution := func(name string) string {
		return "// " + name + " is 1.\nfunc " + name + "() int {\n\t// BEGIN SOLUTION\n\treturn 1\n\t// END SOLUTION\n}"
	}
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		text("a-text", "### Exercise 1: `One` (2 points)\n\nWrite it.\n\n**Hint.** 1."),
		code("a", solution("One"), nil),
		code("a-check", "%%\nnbkit.Check(\"One\", nbkit.Call(\"one\", 1, One),\n\t// BEGIN HIDDEN TESTS\n\tnbkit.Call(\"again\", 1, One),\n\t// END HIDDEN TESTS\n)", graded(2)),
		text("b-text", "### Exercise 2: \"Two\" (3 points)\n\nWrite it.\n\n**Hint.** 1."),
		code("b", solution("Two"), nil),
		code("b-check", "func call() int { return Two() }\n\n%%\nraw := `a\n\tb`\nwant, secret := len(raw), 1\nnbkit.Check(\"Two\", nbkit.Call(\"two\", want, call),\n\t// BEGIN HIDDEN TESTS\n\tnbkit.Call(\"again\", secret, call),\n\t// END HIDDEN TESTS\n)", graded(3)),
		text("c-text", "### Question 1: why? (4 points)\n\n**Rubric.** All."),
		{Type: "markdown", ID: "c", Source: "Because.", Metadata: map[string]any{"tags": []any{notebook.TagAnswer}, "nbgrader": map[string]any{"points": 4}}},
	}}
	copied := Copy("x/01_y", nb, Links{HasCopy: func(string) bool { return false }})
	last := copied.Cells[len(copied.Cells)-2:]
	if last[1].ID != CheckAllID || !strings.Contains(last[0].Source, "marked by hand, for up to 4 points") {
		t.Fatalf("the last cells are %q and %q", last[0].Source, last[1].Source)
	}
	for _, want := range []string{`nbkit.Exercise{"Exercise 1: One", 2, func() {`, `nbkit.Exercise{"Exercise 2: \"Two\"", 3, func() {`, `nbkit.Call("two", want, call)`, "raw := `a\n\tb`\n"} {
		if !strings.Contains(last[1].Source, want) {
			t.Errorf("no %s in\n%s", want, last[1].Source)
		}
	}
	for _, hidden := range []string{"again", "func call", "HIDDEN"} {
		if strings.Contains(last[1].Source, hidden) {
			t.Errorf("%q is in\n%s", hidden, last[1].Source)
		}
	}
	if n := len(WithoutCheckAll(copied).Cells); n != len(nb.Cells) || len(copied.Cells) != n+2 {
		t.Errorf("%d cells without the last of %d, want %d", n, len(copied.Cells), len(nb.Cells))
	}
	if c := Copy("x/01_y", &notebook.Notebook{Cells: nb.Cells[6:]}, Links{HasCopy: func(string) bool { return false }}); len(c.Cells) != 2 {
		t.Errorf("a notebook without exercises gets %d cells, want its 2", len(c.Cells))
	}
}
