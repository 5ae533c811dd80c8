package browser

import (
	"context"
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

var allMistakes = flag.Bool("mistakes", false, "TestMistakes tries all of the catalogue, and not a right and a wrong answer of each exercise")

// Answers get in a page what they get from the composer that grades, case by case of those
// that students see. Oracle: the program that the machine's own Go builds of the same
// cells, and of right answers, the catalogue. A student hands in one right, or one
// wrong, answer to each exercise, since it takes the page seconds to build a notebook.
func TestMistakes(t *testing.T) {
	for _, nb := range resolved(t, *whichNotebooks) {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			t.Fatal(err)
		}
		catalogue, err := mistakes.Read(mistakes.Path(nb.Path))
		if err != nil {
			t.Fatal(err)
		}
		exercises, _ := exercise.Find(worked)
		t.Run(nb.Name(), func(t *testing.T) {
			p := open(t, nb.Course, nil)
			for _, right := range []bool{true, false} {
				bodies, most := make([][]mistakes.Body, len(exercises)), 1
				for i, e := range exercises {
					bodies[i] = slices.DeleteFunc(slices.Clone(catalogue.Of(e.Number)), func(b mistakes.Body) bool { return b.Right != right })
					if *allMistakes {
						most = max(most, len(bodies[i]))
					}
				}
				for k := range most {
					handedIn := exercise.Copy(nb.Name(), worked, exercise.Links{HasCopy: func(string) bool { return false }})
					for i, e := range exercises {
						source := worked.Cells[e.Solution].Source
						if k < len(bodies[i]) {
							if source, err = bodies[i][k].Answer(source); err != nil {
								t.Fatal(err)
							}
						}
						handedIn.Cells[e.Solution].Source = source
					}
					run := native(t, handedIn)
					if built := call[buildResult](p, "build", cellsOf(handedIn)); !built.OK {
						t.Errorf("the answers that are right %v, number %d of each: %v", right, k+1, built.Problems)
						continue
					}
					for i, e := range exercises {
						if k >= len(bodies[i]) {
							continue
						}
						name, want := bodies[i][k].Name, run(e.Graded)
						if right && (len(want) != 1 || want[0].Passed < want[0].Of || want[0].Of == 0) {
							t.Errorf("exercise %d, %s is right: the grader's composer says %v", e.Number, name, want)
						}
						r := call[runResult](p, "run", handedIn.Cells[e.Graded].ID)
						got := r.Scores
						if r.Ended != "done" {
							got = nil
						}
						// An answer that goes by the order of a map, say, does not do the same twice.
						for again := 0; !slices.Equal(got, want) && !right && again < 20; again++ {
							want = run(e.Graded)
						}
						if !slices.Equal(got, want) {
							t.Errorf("exercise %d, %s: the page says %v (%s %q), the grader's composer %v", e.Number, name, got, r.Ended, r.Sentence, want)
						}
					}
				}
			}
		})
	}
}

// native builds cells with this machine's Go, for runs of their checks, each of which says
// how many cases it passes: nothing if it does not come to its end.
func native(t *testing.T, nb *notebook.Notebook) (run func(check int) []struct{ Passed, Of int }) {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	composed, err := cell.Compose(nb)
	if err != nil {
		t.Fatal(err)
	}
	ctx, runner := context.Background(), sandbox.Unsafe()
	chain, err := cell.Prepare(ctx, top, composed.Imports())
	if err != nil {
		t.Fatal(err)
	}
	binary, err := chain.Build(ctx, runner, composed, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return func(check int) (scores []struct{ Passed, Of int }) {
		t.Helper()
		o, err := binary.Run(ctx, runner, check, cell.CheckTime(20))
		if err != nil {
			t.Fatal(err)
		}
		if !o.Ended {
			return nil
		}
		for _, s := range o.Scores() {
			scores = append(scores, struct{ Passed, Of int }{s.Passed, s.Of})
		}
		return scores
	}
}
