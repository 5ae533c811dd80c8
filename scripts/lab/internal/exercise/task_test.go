package exercise

import (
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// Oracle: the texts are written so that it is plain what they lack.
func TestTasks(t *testing.T) {
	const rubric = "\n\n**Rubric.** One point for each reason:\n\n- it is wide\n- it is flat"
	text := func(source string) *notebook.Cell {
		return &notebook.Cell{Type: "markdown", ID: "ask", Source: source, Metadata: map[string]any{}}
	}
	answer := func(points any) *notebook.Cell {
		return &notebook.Cell{Type: "markdown", ID: "answer", Source: "15", Metadata: map[string]any{
			"tags": []any{notebook.TagAnswer}, "nbgrader": map[string]any{"points": points}}}
	}
	code := &notebook.Cell{Type: "code", ID: "show", Source: "%%", Metadata: map[string]any{}}
	for _, tc := range []struct {
		name    string
		cells   []*notebook.Cell
		tasks   int
		problem string // "" for none
	}{
		{"asked, shown, answered", []*notebook.Cell{text("### Question 2: which k? (3 points)\n\nChoose." + rubric), code, answer(3)}, 1, ""},
		{"one point", []*notebook.Cell{text("### Predict (1 point)" + rubric), answer(1)}, 1, ""},
		{"two answers", []*notebook.Cell{text("### Question 2: which k? (3 points)" + rubric), answer(1), answer(2)}, 2, ""},
		{"two texts", []*notebook.Cell{text("### A (3 points)" + rubric), text("And so on."), answer(3), text("### B (1 point)" + rubric), answer(1)}, 2, ""},
		{"no points asked for", []*notebook.Cell{text("### Question 2: which k?" + rubric), answer(3)}, 1, `like "### Question 3: which k? (3 points)"`},
		{"other points", []*notebook.Cell{text("### Question 2: which k? (2 points)" + rubric), answer(3)}, 1, "says 2 points in its heading, its answers give 3"},
		{"no rubric", []*notebook.Cell{text("### Question 2: which k? (3 points)\n\nChoose."), answer(3)}, 1, "does not say what earns them"},
		{"an empty rubric", []*notebook.Cell{text("### Question 2: which k? (3 points)\n\n**Rubric.**\n"), answer(3)}, 1, "does not say what earns them"},
		{"a rubric in a listing", []*notebook.Cell{text("### Question 2: which k? (3 points)\n\n```\n**Rubric.** x\n```"), answer(3)}, 1, "does not say what earns them"},
		{"no text", []*notebook.Cell{code, answer(3)}, 0, "no text with a heading"},
		{"no points", []*notebook.Cell{text("### A (3 points)" + rubric), answer(0)}, 0, "at least 1"},
		{"half a point", []*notebook.Cell{text("### A (3 points)" + rubric), answer(1.5)}, 0, "at least 1"},
	} {
		tasks, problems := Tasks(&notebook.Notebook{Cells: tc.cells})
		if len(tasks) != tc.tasks {
			t.Errorf("%s: %d tasks, want %d", tc.name, len(tasks), tc.tasks)
		}
		switch {
		case tc.problem == "" && len(problems) > 0, len(problems) > 1:
			t.Errorf("%s: %v", tc.name, problems)
		case tc.problem != "" && (len(problems) == 0 || !strings.Contains(problems[0].Text, tc.problem)):
			t.Errorf("%s: %v, want %q", tc.name, problems, tc.problem)
		}
	}
	tasks, _ := Tasks(&notebook.Notebook{Cells: []*notebook.Cell{text("### Question 2: which k? (3 points)\n\nChoose." + rubric), code, answer(3)}})
	if want := (Task{1, "Question 2: which k?", 3, 0, 2, "One point for each reason:\n\n- it is wide\n- it is flat"}); tasks[0] != want {
		t.Errorf("%+v, want %+v", tasks[0], want)
	}
}

func TestUnanswered(t *testing.T) {
	for source, want := range map[string]bool{"": true, " \n": true, yourAnswer: true, yourAnswer + "\n": true, yourCode: true, yourAnswer + " 15": false, "15": false} {
		if Unanswered(source) != want {
			t.Errorf("%q: %v", source, !want)
		}
	}
}
