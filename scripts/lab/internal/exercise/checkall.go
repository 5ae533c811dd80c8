package exercise

import (
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// The ids of the cell at the end of a copy that runs all checks once more, and of the
// text before it.
const (
	CheckAllID     = "check-all"
	checkAllTextID = "check-all-text"
)

// checkAll are the last cells of a copy: a text, and the code that calls the checks of
// all exercises, whose source Jupyter folds. It declares nothing, so that it changes
// nothing in the program of the other cells. Without exercises there are none.
func checkAll(nb *notebook.Notebook) []*notebook.Cell {
	exercises, _ := Find(nb)
	if len(exercises) == 0 {
		return nil
	}
	var code strings.Builder
	code.WriteString("nbkit.CheckAll(\n")
	for _, e := range exercises {
		if e.Graded < 0 {
			continue
		}
		body := strings.Trim(cell.Split(stubbed(nb.Cells[e.Graded].Source)).Main, "\n")
		fmt.Fprintf(&code, "nbkit.Exercise{%q, %d, func() {\n%s\n}},\n", fmt.Sprintf("Exercise %d: %s", e.Number, strings.ReplaceAll(e.Title, "`", "")), e.Points, body)
	}
	code.WriteString(")")
	formatted, err := format.Source([]byte(code.String()))
	if err != nil { // a check that does not parse: compiling the notebook reports it
		return nil
	}
	text := "## Check all your work\n\nRun all cells (in the menu: *Run*, *Run All Cells*). The table below then shows your points so far, and what is missing first in each exercise, because the cell runs the checks above once more. If you get `undefined:` and a name instead of the table, the cell that declares the name does not compile yet; run that cell to see the line. When your work is graded, the same functions are also called with other numbers, so your points may differ a little."
	if tasks, _ := Tasks(nb); len(tasks) > 0 {
		points := 0
		for _, t := range tasks {
			points += t.Points
		}
		text += fmt.Sprintf(" Your answers in words are not counted here. They are marked by hand, for up to %s.", plural(points, "point"))
	}
	return []*notebook.Cell{
		{Type: "markdown", ID: checkAllTextID, Source: text, Metadata: map[string]any{}},
		{Type: "code", ID: CheckAllID, Source: "%%\n" + string(formatted), Metadata: map[string]any{
			"deletable": false, "editable": false, "jupyter": map[string]any{"source_hidden": true}}},
	}
}

// WithoutCheckAll is a copy without its last cells, for where a button does what they do.
func WithoutCheckAll(copied *notebook.Notebook) *notebook.Notebook {
	shown := *copied
	shown.Cells = slices.DeleteFunc(slices.Clone(copied.Cells), func(c *notebook.Cell) bool {
		return c.ID == CheckAllID || c.ID == checkAllTextID
	})
	return &shown
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
