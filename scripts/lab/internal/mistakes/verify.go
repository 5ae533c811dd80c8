package mistakes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// How many bodies an exercise has at least, beside the worked one.
const (
	leastRight = 2
	leastWrong = 4
)

// Verify holds a catalogue against its notebook and the copy that students get: every
// right body passes all cases, every wrong one fails the visible case that it names, and
// that case has a hint. It builds one program, whatever the number of bodies, and runs it
// once for each.
func Verify(ctx context.Context, chain *cell.Toolchain, worked, copied *notebook.Notebook, exercises []exercise.Exercise, c *Catalogue) ([]notebook.Problem, error) {
	v := &verifier{catalogue: c, exercises: exercises}
	v.count()
	if len(v.problems) > 0 {
		return v.problems, nil
	}
	p, err := compose(worked, copied, exercises, c)
	if err != nil {
		v.bad(-1, "%v", err)
		return v.problems, nil
	}
	reports, err := v.run(ctx, chain, p)
	if err != nil {
		return nil, err
	}
	for i, r := range reports {
		v.judge(p.bodies[i], r)
	}
	return v.problems, nil
}

// checkTime is the processor time that a check may take; one of a worked notebook has a few
// cases.
var checkTime = cell.CheckTime(20)

type verifier struct {
	catalogue *Catalogue
	exercises []exercise.Exercise
	problems  []notebook.Problem
}

func (v *verifier) bad(cell int, format string, args ...any) {
	v.problems = append(v.problems, notebook.Problem{Cell: cell, Text: fmt.Sprintf(format, args...)})
}

func (v *verifier) badBody(b Body, format string, args ...any) {
	v.bad(-1, "mistakes/%s: %s %s", v.catalogue.file, b.part(), fmt.Sprintf(format, args...))
}

// count wants enough bodies of each exercise, and none of another.
func (v *verifier) count() {
	for _, e := range v.exercises {
		right, wrong := 0, 0
		for _, b := range v.catalogue.Of(e.Number) {
			if b.Right {
				right++
			} else {
				wrong++
			}
		}
		if right < leastRight || wrong < leastWrong {
			v.bad(-1, "mistakes/%s has %d right and %d wrong answers to exercise %d; at least %d and %d", v.catalogue.file, right, wrong, e.Number, leastRight, leastWrong)
		}
	}
	for _, b := range v.catalogue.bodies {
		if !slices.ContainsFunc(v.exercises, func(e exercise.Exercise) bool { return e.Number == b.Exercise }) {
			v.badBody(b, "answers an exercise that the notebook has not")
		}
	}
}

// run builds the program and runs the check of each body. A body whose check does not
// come to its end has no cases, and a problem.
func (v *verifier) run(ctx context.Context, chain *cell.Toolchain, p *program) ([][]judge.CaseScore, error) {
	folder, err := scratch.New("mistakes")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	runner := sandbox.Unsafe() // all of the program is the project's own
	composed, err := cell.Compose(p.nb)
	var binary *cell.Binary
	if err == nil {
		binary, err = chain.Build(ctx, runner, composed, folder.Path)
	}
	if wrong := (*cell.Errors)(nil); errors.As(err, &wrong) {
		v.doesNotCompile(p, wrong)
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	all := make([][]judge.CaseScore, len(p.bodies))
	for i, b := range p.bodies {
		o, err := binary.Run(ctx, runner, p.checks[i], checkTime)
		switch {
		case err != nil:
			return nil, err
		case !o.Ended || len(o.Scores()) != 1:
			v.badBody(b, "ends the check before its end: %s", o.Printed)
		default:
			all[i] = o.Scores()[0].Cases
		}
	}
	return all, nil
}

// doesNotCompile says in which part of the catalogue the errors are.
func (v *verifier) doesNotCompile(p *program, wrong *cell.Errors) {
	for _, e := range wrong.Cells {
		if i, ok := p.declares[e.Cell]; ok {
			v.badBody(p.bodies[i], "does not compile: line %d: %s", e.Line+1, e.Text)
		} else {
			v.bad(-1, "mistakes/%s does not compile with the notebook: %v", v.catalogue.file, e)
		}
	}
	if wrong.Rest != "" {
		v.bad(-1, "mistakes/%s does not compile with the notebook: %s", v.catalogue.file, wrong.Rest)
	}
}

// judge holds the reports of a body against what it is said to be.
func (v *verifier) judge(b Body, cases []judge.CaseScore) {
	if len(cases) == 0 {
		return // told already
	}
	var names, failed []string
	var named *judge.CaseScore
	for i, r := range cases {
		names = append(names, strconv.Quote(r.Name))
		if !r.Passed {
			failed = append(failed, fmt.Sprintf("%q (%s)", r.Name, r.Message))
		}
		if r.Name == b.CaughtBy {
			named = &cases[i]
		}
	}
	switch {
	case b.Right && len(failed) > 0:
		v.badBody(b, "is right and fails %s", strings.Join(failed, ", "))
	case b.Right:
	case named == nil:
		v.badBody(b, "says that %q catches it, which is no visible case of exercise %d; they are %s", b.CaughtBy, b.Exercise, strings.Join(names, ", "))
	case len(failed) == 0:
		v.badBody(b, "passes every visible case: its student sees only ticks")
	case named.Passed:
		v.badBody(b, "passes %q, which should catch it; what it fails is %s", b.CaughtBy, strings.Join(failed, ", "))
	case named.Hint == "":
		v.badBody(b, "is caught by %q, which has no hint; write .WithHint(...) behind that case", b.CaughtBy)
	}
}
