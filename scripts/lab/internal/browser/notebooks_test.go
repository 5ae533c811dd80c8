package browser

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// others are cells whose outputs in a browser are others, with the reason.
var others = map[string]string{
	"help": "the line begins with !, and a page has no commands to run",
}

// A notebook runs whole in the page, with the outputs that the kernel gave: texts equal,
// figures byte for byte. BROWSER_NOTEBOOKS names others than lab3/01, by name or course;
// "all" are those that need neither data nor Python.
func TestNotebook(t *testing.T) {
	names := strings.Fields(os.Getenv("BROWSER_NOTEBOOKS"))
	if len(names) == 0 {
		names = []string{"lab3/01_nearest_neighbours"}
	}
	if slices.Equal(names, []string{"all"}) {
		names = nil
	}
	nbs, err := project.Project{Root: root}.Resolve(names)
	if err != nil {
		t.Fatal(err)
	}
	for _, nb := range nbs {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			t.Fatal(err)
		}
		if needs := worked.Needs(); names == nil && (needs.Peers || len(needs.Data) > 0) {
			continue
		}
		t.Run(nb.Name(), func(t *testing.T) { runWhole(t, nb.Course, worked) })
	}
}

func runWhole(t *testing.T, course string, worked *notebook.Notebook) {
	p := open(t, course, nil)
	cells := cellsOf(worked)
	built := call[buildResult](p, "build", cells)
	if !built.OK || len(built.Left) > 0 {
		t.Fatalf("it was built with problems %v, left out were %v", built.Problems, built.Left)
	}
	t.Logf("built in %.1f s: %v", built.MS/1000, built.Times)
	fresh := &notebook.Notebook{}
	equal, figures := 0, 0
	for _, c := range worked.Cells {
		f := *c
		fresh.Cells = append(fresh.Cells, &f)
		if c.Type != "code" {
			continue
		}
		r := call[runResult](p, "run", c.ID, map[string]any{"seconds": 240})
		if c.HasTag(notebook.TagRaises) {
			if r.Ended == "done" || r.Sentence == "" {
				t.Errorf("cell %s is meant to fail; it ended as %s, %q", c.ID, r.Ended, r.Sentence)
			}
			t.Logf("cell %s: %s, %s, at %v", c.ID, r.Ended, r.Sentence, r.At)
			continue
		}
		f.Outputs = outputsOf(r)
		if r.Ended != "done" {
			t.Errorf("cell %s ended as %s at %v: %s", c.ID, r.Ended, r.At, r.Sentence)
		}
		if points, graded := c.Points(); graded && (len(r.Scores) != 1 || r.Scores[0].Passed != r.Scores[0].Of || r.Scores[0].Of == 0) {
			t.Errorf("cell %s, %d points: the solution scores %v", c.ID, points, r.Scores)
		}
		if c.HasTag(notebook.TagVolatile) {
			continue
		}
		same, all := sameFigures(c.Outputs, f.Outputs)
		if figures += same; same != all {
			t.Errorf("cell %s: %d of %d figures are the same bytes", c.ID, same, all)
		}
		equal++
	}
	for _, problem := range notebook.Compare(worked, fresh) {
		if reason := others[problem.ID]; reason != "" {
			t.Logf("%v: %s", problem, reason)
		} else if !worked.Cells[problem.Cell].HasTag(notebook.TagRaises) {
			t.Error(problem)
		}
	}
	t.Logf("%d cells were compared, %d figures", equal, figures)
	if equal == 0 {
		t.Error("no cell was compared")
	}
}

// outputsOf are the outputs of a run as a notebook has them.
func outputsOf(r runResult) []*notebook.Output {
	var list []*notebook.Output
	for _, o := range r.Outputs {
		if o.Bundle == nil {
			list = append(list, &notebook.Output{Type: "stream", Name: []string{1: "stdout", 2: "stderr"}[o.FD], Text: o.Text})
			continue
		}
		list = append(list, &notebook.Output{Type: "display_data", Data: o.Bundle.Data, Metadata: o.Bundle.Metadata})
	}
	return list
}

// sameFigures counts the pictures that are the same bytes.
func sameFigures(a, b []*notebook.Output) (same, all int) {
	for i, o := range a {
		text, isFigure := o.Data["image/png"].(string)
		if !isFigure {
			continue
		}
		all++
		if i >= len(b) {
			continue
		}
		other, _ := b[i].Data["image/png"].(string)
		x, err1 := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		y, err2 := base64.StdEncoding.DecodeString(other)
		if err1 == nil && err2 == nil && bytes.Equal(x, y) {
			same++
		}
	}
	return same, all
}

// With stubs every check is shown and gives nothing; what is not a check and needs an
// exercise says so and ends well. With a solution in its place the check gives full marks.
func TestExercises(t *testing.T) {
	const name = "lab3/01_nearest_neighbours"
	worked, err := notebook.Read(filepath.Join(root, "notebooks", name+".ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	exercises, _ := exercise.Find(worked)
	copied := exercise.Copy(name, worked, exercise.Links{HasCopy: func(string) bool { return false }})
	p := open(t, "lab3", nil)
	cells := cellsOf(copied)
	if built := call[buildResult](p, "build", cells); !built.OK {
		t.Fatal(built.Problems)
	}
	for _, e := range exercises {
		r := call[runResult](p, "run", copied.Cells[e.Graded].ID, nil)
		if r.Ended != "done" || len(r.Scores) > 1 || len(r.Scores) == 1 && r.Scores[0].Passed > 0 || len(r.Outputs) == 0 {
			t.Errorf("exercise %d with a stub: %s %q, %v", e.Number, r.Ended, r.Sentence, r.Scores)
		}
	}
	first := exercises[0]
	for i := range cells {
		if cells[i].ID == copied.Cells[first.Solution].ID {
			cells[i].Source = worked.Cells[first.Solution].Source
		}
	}
	if built := call[buildResult](p, "build", cells); !built.OK {
		t.Fatal(built.Problems)
	}
	r := call[runResult](p, "run", copied.Cells[first.Graded].ID, nil)
	if r.Ended != "done" || len(r.Scores) != 1 || r.Scores[0].Passed != r.Scores[0].Of || r.Scores[0].Of == 0 {
		t.Errorf("exercise 1 with its solution: %s %q, %v", r.Ended, r.Sentence, r.Scores)
	}
}
