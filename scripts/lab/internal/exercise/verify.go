package exercise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// Verify compiles the worked notebook and its copy, without a kernel, and runs their
// graded cells: the solutions get full marks; the stubs compile and score nothing, with
// no more said than that they are not implemented yet. So does the cell at the end of the
// copy that checks all of them. It takes some seconds.
func Verify(ctx context.Context, chain *cell.Toolchain, nb, copied *notebook.Notebook, exercises []Exercise) ([]notebook.Problem, error) {
	folder, err := scratch.New("exercises")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	v := &verifier{ctx: ctx, runner: sandbox.Unsafe(), nb: nb}
	worked := *nb
	worked.Cells = append(slices.Clip(nb.Cells), checkAll(nb)...)
	for _, step := range []struct {
		name string
		of   *notebook.Notebook
		run  func(*cell.Binary, []Exercise)
	}{{"worked", &worked, v.solutions}, {"copy", copied, v.stubs}} {
		dir := filepath.Join(folder.Path, step.name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		program, err := cell.Compose(step.of)
		var binary *cell.Binary
		if err == nil {
			binary, err = chain.Build(ctx, v.runner, program, dir)
		}
		var wrong *cell.Errors
		switch {
		case errors.As(err, &wrong):
			if step.of == copied {
				for i, e := range wrong.Cells {
					wrong.Cells[i].Cell = indexOf(nb, copied.Cells[e.Cell].ID)
				}
			}
			v.doesNotCompile(step.of == copied, wrong)
		case err != nil:
			return nil, err
		default:
			step.run(binary, exercises)
		}
		if v.failed != nil {
			return nil, v.failed
		}
		if len(v.problems) > 0 {
			break
		}
	}
	return v.problems, nil
}

type verifier struct {
	ctx      context.Context
	runner   sandbox.Runner
	nb       *notebook.Notebook
	problems []notebook.Problem
	failed   error // the tool's own failure, not the notebook's
}

func (v *verifier) bad(i int, format string, args ...any) {
	v.problems = append(v.problems, problemAt(v.nb, i, fmt.Sprintf(format, args...)))
}

var notUsed = regexp.MustCompile(`^declared and not used: (\w+)$`)

// doesNotCompile tells the errors of the compiler. A variable that is declared outside
// the markers and used inside only is not used in the copy.
func (v *verifier) doesNotCompile(stubs bool, wrong *cell.Errors) {
	what := "does not compile"
	if stubs {
		what = "does not compile with stubs in place of the solutions"
	}
	for _, e := range wrong.Cells {
		if name := notUsed.FindStringSubmatch(e.Text); name != nil && stubs {
			v.bad(e.Cell, "line %d declares %s, which only the solution uses: the copy would not compile; declare it between the markers", e.Line+1, name[1])
		} else {
			v.bad(e.Cell, "%s: line %d: %s", what, e.Line+1, e.Text)
		}
	}
	if wrong.Rest != "" {
		v.bad(-1, "%s: %s", what, strings.ReplaceAll(wrong.Rest, "\n", "\n    "))
	}
}

// runTime is the processor time that a check may take.
const runTime = 2 * time.Minute

// run runs the body of a cell; nil if that failed.
func (v *verifier) run(b *cell.Binary, number int) *cell.Outcome {
	if v.failed != nil {
		return nil
	}
	var o *cell.Outcome
	o, v.failed = b.Run(v.ctx, v.runner, number, runTime)
	return o
}

// solutions wants full marks.
func (v *verifier) solutions(b *cell.Binary, exercises []Exercise) {
	for _, e := range exercises {
		switch o := v.run(b, e.Graded); {
		case o == nil:
			return
		case !o.Ended || o.Needs != "":
			v.bad(e.Graded, "exercise %d: the check of the worked solution fails%s", e.Number, behind(o.Printed))
		case len(o.Scores()) != 1:
			v.bad(e.Graded, "exercise %d: the check of the worked solution reports %d scores, not one%s", e.Number, len(o.Scores()), behind(o.Printed))
		case o.Scores()[0].Passed != o.Scores()[0].Of || o.Scores()[0].Of == 0:
			v.bad(e.Graded, "exercise %d: the worked solution passes %d of %d cases: %s", e.Number, o.Scores()[0].Passed, o.Scores()[0].Of, strings.Join(o.Scores()[0].Failed(), "; "))
		}
	}
	v.together(b, exercises, "the worked solutions", 1)
}

// together wants the cell that checks all exercises to give a share of their points.
func (v *verifier) together(b *cell.Binary, exercises []Exercise, whose string, share int) {
	points := 0
	for _, e := range exercises {
		points += e.Points
	}
	if points == 0 || len(v.problems) > 0 { // one of these exercises is to be mended first
		return
	}
	want := fmt.Sprintf("Points so far: %d of %d\n", share*points, points)
	if o := v.run(b, len(v.nb.Cells)+1); o != nil && (!o.Ended || !strings.Contains(o.Printed, want)) {
		v.bad(-1, "the cell at the end of the copy, which checks all exercises, does not say %q of %s%s", strings.TrimSpace(want), whose, behind(o.Printed))
	}
}

// stubs wants no marks and no more words than that nothing is implemented yet.
func (v *verifier) stubs(b *cell.Binary, exercises []Exercise) {
	if len(exercises) == 0 {
		return
	}
	// No cell has this number: what runs is what package variables are made of.
	if o := v.run(b, -1); o == nil {
		return
	} else if !o.Ended {
		v.bad(-1, "a variable that cells declare at their top needs an exercise: until that is done, every cell after it would stop. Make it inside a cell, in a function, or with sync.OnceValue%s", behind(o.Printed))
		return
	}
	for _, e := range exercises {
		switch o := v.run(b, e.Graded); {
		case o == nil:
			return
		case !o.Ended:
			v.bad(e.Graded, "exercise %d: with stubs the check ends in an error%s", e.Number, behind(o.Printed))
		case o.Needs != "":
			// The check needs another exercise before it begins, and says so.
		case len(o.Scores()) != 1:
			v.bad(e.Graded, "exercise %d: with stubs the check reports %d scores, not one%s", e.Number, len(o.Scores()), behind(o.Printed))
		case o.Scores()[0].Passed > 0:
			v.bad(e.Graded, "exercise %d: with stubs %d of %d cases pass; a case that nobody has to work for gives no points", e.Number, o.Scores()[0].Passed, o.Scores()[0].Of)
		case o.Scores()[0].Unwritten() != o.Scores()[0].Of:
			v.bad(e.Graded, "exercise %d: with stubs a case says something else than that nothing is implemented yet: %s", e.Number, strings.Join(o.Scores()[0].Failed(), "; "))
		}
	}
	v.together(b, exercises, "the stubs", 0)
}

// behind is what a program printed, cut, to stand behind a message.
func behind(printed string) string {
	if printed == "" {
		return ""
	}
	lines := strings.Split(printed, "\n")
	if len(lines) > 10 {
		lines = append(lines[:10], "…")
	}
	return ":\n    " + strings.Join(lines, "\n    ")
}
