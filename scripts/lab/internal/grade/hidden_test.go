package grade

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// secret begins the number that hidden cases of [secretive] call with.
const secret = "654321"

// secretive is a grader of testdata/neighbours.ipynb in which the check of Distances begins with two
// hidden cases, whose input answers have met before a visible one fails.
func secretive(t *testing.T) (*Grader, *asked) {
	t.Helper()
	nb, err := notebook.Read("testdata/neighbours.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		if c.ID == "distances-check" {
			c.Source = strings.Replace(c.Source, "nbkit.Call(", "// BEGIN HIDDEN TESTS\nnbkit.Call(\"the secret\", []float64{0}, Distances, mat.NewDense(1, 1, []float64{SECRET}), []float64{SECRET}),\nnbkit.Call(\"another\", SECRET, func() float64 {\n\treturn Distances(mat.NewDense(1, 1, nil), []float64{SECRET})[0]\n}),\n// END HIDDEN TESTS\nnbkit.Call(", 1)
			c.Source = strings.ReplaceAll(c.Source, "SECRET", secret+".25")
		}
	}
	runner, err := sandbox.Find(context.Background())
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		runner = sandbox.Unsafe()
	}
	a := &asked{Runner: runner}
	g, err := New(context.Background(), a, root, nb, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g, a
}

// asked notes what the bodies of cells were run with in their environment, by the number of the cell.
type asked struct {
	sandbox.Runner
	with map[string]string
}

func (a *asked) Run(ctx context.Context, job sandbox.Job) (sandbox.Result, error) {
	if _, err := strconv.Atoi(job.Args[0]); err == nil && a.with != nil {
		a.with[job.Args[0]] = strings.Join(job.Env, " ")
	}
	return a.Runner.Run(ctx, job)
}

// What a student reads comes from a run that has nothing of the hidden cases.
func TestHiddenStaysHidden(t *testing.T) {
	g, runs := secretive(t)
	remembers := "var met []float64\n" + strings.Replace(distances, "{\n", "{\n\tmet = append(met, q...)\n", 1)
	for _, c := range []struct {
		name, answer string
		passed       int    // cases
		says         string // the first visible case
	}{
		{"right", remembers, 8, ""},
		{"its panic", "var met []float64\n" + instead("distances", "met = append(met, q...); panic(fmt.Sprint(met))"), 0, "panic: [0 0]"},
		{"its answer", "var met []float64\n" + instead("distances", "met = append(met, q...); return met"), 1, "got 2"},
		{"right but for what was before", "var met []float64\n" + strings.Replace(distances, "return out", "if met = append(met, q...); len(met) == 4 {\n\t\treturn met\n\t}\n\treturn out", 1), 7, silenced},
		{"another signature", strings.Replace(distances, "q []float64) []float64 {", "query [1]float64) []float64 {\n\tq := query[:]", 1), 0, ""},
		{"a result that the hidden case cannot use", strings.NewReplacer("[]float64 {", "map[string]float64 {", "return out", "return nil").Replace(distances), 0, ""},
		{"what it needs", instead("distances", "panic(nbkit.NotImplemented(fmt.Sprint(q)))"), 0, "not implemented yet"},
	} {
		runs.with = map[string]string{}
		sheet, err := g.Grade(context.Background(), Answers{ByID: map[string]string{"distances": c.answer}})
		if err != nil {
			t.Fatal(err)
		}
		q := g.questions[0]
		all, built := runs.with[strconv.Itoa(q.Graded)]
		if seen := runs.with[strconv.Itoa(q.visible.Cell)]; built && !strings.Contains(all, secret) || strings.Contains(seen, secret) {
			t.Errorf("%s: all cases were run with %q, the visible ones with %q", c.name, all, seen)
		}
		m := sheet.Marks[0]
		passed := 0
		said := ""
		for _, of := range m.Cases {
			if of.Passed {
				passed++
			}
			if of.Hidden {
				continue
			}
			if said == "" {
				said = of.Message
			}
			if strings.Contains(of.Message, secret) {
				t.Errorf("%s: %q says %s", c.name, of.Name, of.Message)
			}
		}
		if m.State == DoesNotCompile && (len(m.Errors) != 1 || !strings.Contains(m.Errors[0], "keep the names")) {
			t.Errorf("%s: the errors are %q", c.name, m.Errors)
		}
		if passed != c.passed || !strings.Contains(said, c.says) || strings.Contains(m.Why+strings.Join(m.Errors, ""), secret) {
			t.Errorf("%s: %d cases pass, want %d; the first visible one says %q, want %q; %s %v", c.name, passed, c.passed, said, c.says, m.Why, m.Errors)
		}
	}
}

// No check of a notebook declares anything for its hidden cases: every program of an answer would
// hold it.
func TestNothingHiddenIsDeclared(t *testing.T) {
	all, err := project.Project{Root: root}.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	read := func(nb *notebook.Notebook) (checks int, err error) {
		exercises, _ := exercise.Find(nb)
		return len(exercises), new(Grader).read(nb, exercises, nil)
	}
	checks := 0
	for _, file := range all {
		nb, err := notebook.Read(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := read(nb)
		if checks += n; err != nil {
			t.Errorf("%s: %v", file.Name(), err)
		}
		for _, c := range nb.Cells {
			c.Source = strings.Replace(c.Source, "%%\n", "// BEGIN HIDDEN TESTS\nvar hidden = 654321\n\n// END HIDDEN TESTS\n%%\n", 1)
		}
		if _, err := read(nb); n > 0 && (err == nil || !strings.Contains(err.Error(), "above %%")) {
			t.Errorf("%s: with a hidden declaration: %v", file.Name(), err)
		}
	}
	if checks < 200 {
		t.Errorf("only %d checks were found", checks)
	}
}
