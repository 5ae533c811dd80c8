package exercise

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// Each case lists the ids of a worked notebook's cells and, as want, those of the copy, in which
// a place to write stands under its question and "+" follows a cell that was folded. The first
// letter of an id says what the cell is.
func TestPredictFirst(t *testing.T) {
	for _, c := range []struct {
		name         string
		worked, want []string
	}{
		{"before the code", []string{"q", "code", "answer"}, []string{"q", "answer", "code"}},
		{"before text and code", []string{"q", "code1", "text", "code2", "answer", "x-read"}, []string{"q", "answer", "code1", "text", "code2", "x-read"}},
		{"about the output", []string{"q", "code", "reading"}, []string{"q", "code", "reading"}},
		{"two questions", []string{"q1", "c1", "a1", "q2", "c2", "a2"}, []string{"q1", "a1", "c1", "q2", "a2", "c2"}},
		{"no code between", []string{"c", "q", "a", "x-read"}, []string{"c", "q", "a", "x-read+"}},
		{"code between", []string{"q", "c1", "c2", "x-read", "y-read", "a"}, []string{"q", "a", "c1", "c2", "x-read+", "y-read"}},
		{"code and text between", []string{"q", "c", "text", "c2", "x-read", "a"}, []string{"q", "a", "c", "text", "c2", "x-read"}},
		{"a section begins below", []string{"c", "q", "a", "h-read"}, []string{"c", "q", "a", "h-read"}},
		{"a list of questions", []string{"text", "code", "answer"}, []string{"text", "code", "answer"}},
		{"an exercise between", []string{"q", "stub", "c", "answer"}, []string{"q", "stub", "c", "answer"}},
		{"code of one's own between", []string{"q", "own", "answer"}, []string{"q", "own", "answer"}},
		{"a check between", []string{"q", "graded", "c", "answer"}, []string{"q", "graded", "c", "answer"}},
		{"another answer between", []string{"q", "a1", "code", "a2"}, []string{"q", "a1", "code", "a2"}},
		{"marked", []string{"q", "code", "marked"}, []string{"q", "code", "marked"}},
		{"nothing", nil, nil},
	} {
		nb := &notebook.Notebook{}
		for _, id := range c.worked {
			cell := &notebook.Cell{ID: id, Type: "markdown", Source: "Text."}
			switch id[0] {
			case 'q':
				cell.Source = "Text.\n\n### Question 1\n\nWhat?"
			case 'h':
				cell.Source = "## A section\n\nText."
			case 'c', 's', 'g', 'o':
				cell.Type, cell.Source = "code", "%%\n1 + 1"
			case 'a', 'r', 'm':
				cell.Metadata = map[string]any{"tags": []any{"answer"}}
			}
			switch id[0] {
			case 's':
				cell.Source = "// BEGIN SOLUTION\nfmt.Println()\n// END SOLUTION"
			case 'o':
				cell.Metadata = map[string]any{"tags": []any{"answer"}}
			case 'g':
				cell.Metadata = map[string]any{"nbgrader": map[string]any{"grade": true, "points": json.Number("2")}}
			case 'r':
				cell.Metadata = map[string]any{"tags": []any{"answer", "reading"}}
			case 'm':
				cell.Metadata["nbgrader"] = map[string]any{"grade": true, "solution": true, "points": json.Number("2")}
			}
			nb.Cells = append(nb.Cells, cell)
		}
		var got []string
		copied := Copy("lab/01", nb, Links{HasCopy: func(string) bool { return false }})
		for _, cell := range copied.Cells[:len(c.worked)] {
			id := cell.ID
			if cell.Source == "<details>\n<summary>What to see</summary>\n\nText.\n\n</details>" {
				id += "+"
			}
			got = append(got, id)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
