//go:build !handout && !light

package command

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
)

// knownMistakes recognises answers that behave as a known wrong one does.
type knownMistakes struct {
	once  sync.Once
	try   func(context.Context) ([]mistakes.Behaviour, error)
	known []mistakes.Behaviour
	err   error
}

// knownMistakes are those of a notebook's catalogue. It is tried when the first answer
// fails a case.
func (c *class) knownMistakes(nb *gradedNotebook, catalogue *mistakes.Catalogue) *knownMistakes {
	copied := exercise.Copy(nb.Name(), nb.worked, exercise.Links{HasCopy: c.hasCopy})
	return &knownMistakes{try: func(ctx context.Context) ([]mistakes.Behaviour, error) {
		chain, err := c.chain(ctx)
		if err != nil {
			return nil, err
		}
		return mistakes.Behaviours(ctx, chain, nb.worked, copied, nb.exercises, catalogue)
	}}
}

// of is what the catalogue says of an answer that was scored, "" if it knows nothing.
func (k *knownMistakes) of(ctx context.Context, m grade.Mark) (string, error) {
	if m.State != grade.Scored || m.Points == m.Of {
		return "", nil
	}
	visible := func(cases []grade.Case) (failures []string, written bool) {
		for _, c := range cases {
			if c.Unwritten {
				return nil, false
			}
			if !c.Hidden {
				failures = append(failures, c.Message)
			}
		}
		return failures, len(cases) > 0
	}
	failures, written := visible(m.Cases)
	if !written {
		return "", nil
	}
	alone, _ := visible(m.Alone)
	k.once.Do(func() { k.known, k.err = k.try(ctx) })
	if k.err != nil {
		return "", k.err
	}
	var says []string // some mistakes cannot be told apart
	for _, b := range k.known {
		if b.Exercise == m.Exercise && (b.Matches(failures) || b.Matches(alone)) && !slices.Contains(says, b.Says) {
			says = append(says, b.Says)
		}
	}
	return strings.Join(says, " Or: "), nil
}
