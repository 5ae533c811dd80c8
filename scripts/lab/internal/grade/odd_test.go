package grade

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// An answer that changes what it is compared with is told to the grader. Oracle: the
// check of Distances expects a variable of the notebook's, which some answers write into.
func TestOdd(t *testing.T) {
	if testing.Short() {
		t.Skip("prepares another notebook")
	}
	nb, err := notebook.Read("testdata/neighbours.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		if c.ID == "distances-check" {
			c.Source = "var triangle = []float64{5}\n\n" + strings.Replace(c.Source, `nbkit.Call("a 3-4-5 triangle", []float64{5},`, `nbkit.Call("a 3-4-5 triangle", triangle,`, 1)
		}
	}
	runner, err := sandbox.Find(context.Background())
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		runner = sandbox.Unsafe()
	}
	g, err := New(context.Background(), runner, root, nb, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, answer string
		odd          bool
	}{
		{"right", distances, false},
		{"wrong", strings.Replace(distances, "math.Sqrt(sum)", "sum", 1), false},
		{"into the variable, when it is called", strings.Replace(distances, "return out", "triangle[0] = 0\n\treturn make([]float64, n)", 1), true},
		{"another variable, before", instead("distances", "return []float64{9}") + "\nvar _ = func() int { triangle = []float64{9}; return 0 }()", true},
		{"the variable with what was there", strings.Replace(distances, "return out", "triangle[0] = 5\n\treturn out", 1), false},
	} {
		sheet, err := g.Grade(context.Background(), Answers{ByID: map[string]string{"distances": c.answer}})
		if err != nil {
			t.Fatal(err)
		}
		if m := sheet.Marks[0]; m.Odd != c.odd {
			t.Errorf("%s: odd %v, %s %v", c.name, m.Odd, m.Why, m.Cases)
		}
	}
}
