package mistakes

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Behaviour is what the visible cases say of a wrong answer.
type Behaviour struct {
	Body
	failures []string // of each visible case, "" where it passes
}

// Behaviours tries the wrong answers of a catalogue, all in one program.
func Behaviours(ctx context.Context, chain *cell.Toolchain, worked, copied *notebook.Notebook, exercises []exercise.Exercise, c *Catalogue) ([]Behaviour, error) {
	v := &verifier{catalogue: c, exercises: exercises}
	p, err := compose(worked, copied, exercises, c)
	if err != nil {
		return nil, err
	}
	reports, err := v.run(ctx, chain, p)
	if err != nil {
		return nil, err
	}
	if len(v.problems) > 0 {
		return nil, fmt.Errorf("%v (lab exercises tells all)", v.problems[0])
	}
	var list []Behaviour
	for i, b := range p.bodies {
		if b.Right {
			continue
		}
		behaviour := Behaviour{Body: b}
		for _, r := range reports[i] {
			behaviour.failures = append(behaviour.failures, r.Message)
		}
		list = append(list, behaviour)
	}
	return list, nil
}

// Matches reports whether an answer of whose visible cases this is said behaves as the
// body does: the same cases fail, with the same values. Where a panic arose may differ.
func (b Behaviour) Matches(failures []string) bool {
	return slices.EqualFunc(b.failures, failures, func(x, y string) bool {
		return panicPlace.ReplaceAllString(x, "") == panicPlace.ReplaceAllString(y, "")
	}) && slices.ContainsFunc(failures, func(s string) bool { return s != "" })
}

// panicPlace is what package nbkit says of where a panic arose.
var panicPlace = regexp.MustCompile(`, in [^ ,]+, line \d+ (of its cell|counted from its func)$`)
