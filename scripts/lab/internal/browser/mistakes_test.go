package browser

import (
	"context"
	"flag"
	"path/filepath"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

var allMistakes = flag.Bool("mistakes", false, "TestMistakes tries all of the catalogue, and not a right and a wrong answer of each exercise")

// An answer gets in a page what it gets from the composer that grades, case by case of those
// that students see, and what the catalogue says of it. Oracle: the catalogue, and the
// program that the machine's own Go builds of the same cells.
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
			for _, e := range exercises {
				tried := map[bool]int{}
				for _, b := range catalogue.Of(e.Number) {
					if tried[b.Right]++; tried[b.Right] > 1 && !*allMistakes {
						continue
					}
					handedIn := exercise.Copy(nb.Name(), worked, exercise.Links{HasCopy: func(string) bool { return false }})
					for _, other := range exercises {
						handedIn.Cells[other.Solution].Source = worked.Cells[other.Solution].Source
					}
					if handedIn.Cells[e.Solution].Source, err = b.Answer(worked.Cells[e.Solution].Source); err != nil {
						t.Fatal(err)
					}
					run := native(t, handedIn, e.Graded)
					passed, of := run()
					if b.Right != (passed == of) || of == 0 {
						t.Errorf("exercise %d, %s: the grader's composer says %d of %d", e.Number, b.Name, passed, of)
					}
					if built := call[buildResult](p, "build", cellsOf(handedIn)); !built.OK {
						t.Errorf("exercise %d, %s: %v", e.Number, b.Name, built.Problems)
						continue
					}
					r := call[runResult](p, "run", handedIn.Cells[e.Graded].ID)
					agree := func() bool { return r.Scores[0].Passed == passed && r.Scores[0].Of == of }
					done := r.Ended == "done" && len(r.Scores) == 1
					for again := 0; done && !agree() && !b.Right && again < 20; again++ {
						passed, of = run() // an answer that goes by the order of a map, say, does not do the same twice
					}
					if !done || !agree() {
						t.Errorf("exercise %d, %s: the page says %v (%s %q), the grader's composer %d of %d", e.Number, b.Name, r.Scores, r.Ended, r.Sentence, passed, of)
					}
				}
			}
		})
	}
}

// native builds cells with this machine's Go, for runs of a check of them, each of which says
// how many cases it passes.
func native(t *testing.T, nb *notebook.Notebook, check int) (run func() (passed, of int)) {
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
	return func() (passed, of int) {
		t.Helper()
		o, err := binary.Run(ctx, runner, check, cell.CheckTime(20))
		if err != nil {
			t.Fatal(err)
		}
		if !o.Ended || len(o.Scores()) != 1 {
			t.Fatalf("the check of cell %d did not end: %s", check, o.Printed)
		}
		return o.Scores()[0].Passed, o.Scores()[0].Of
	}
}
