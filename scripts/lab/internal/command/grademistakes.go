//go:build !handout

package command

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
)

// knownMistakes recognises answers that behave as a known wrong one does. nil knows none.
type knownMistakes struct {
	once  sync.Once
	try   func(context.Context) ([]mistakes.Behaviour, error)
	known []mistakes.Behaviour
	err   error
}

// knownMistakes reads the catalogue of a notebook, if there is one. It is tried when the
// first answer fails a case.
func (c *class) knownMistakes(nb *gradedNotebook) (*knownMistakes, error) {
	catalogue, err := mistakes.Read(mistakes.Path(nb.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	copied := exercise.Copy(nb.Name(), nb.worked, exercise.Links{HasCopy: c.hasCopy})
	return &knownMistakes{try: func(ctx context.Context) ([]mistakes.Behaviour, error) {
		return mistakes.Behaviours(ctx, c.Root, nb.worked, copied, nb.exercises, catalogue)
	}}, nil
}

// of is what the catalogue says of an answer that was scored, "" if it knows nothing.
func (k *knownMistakes) of(ctx context.Context, m grade.Mark) (string, error) {
	if k == nil || m.State != grade.Scored || m.Points == m.Of {
		return "", nil
	}
	var failures []string
	for _, c := range m.Cases {
		if c.Unwritten {
			return "", nil
		}
		if !c.Hidden {
			failures = append(failures, c.Message)
		}
	}
	k.once.Do(func() { k.known, k.err = k.try(ctx) })
	if k.err != nil {
		return "", k.err
	}
	var says []string // some mistakes cannot be told apart
	for _, b := range k.known {
		if b.Exercise == m.Exercise && b.Matches(failures) && !slices.Contains(says, b.Says) {
			says = append(says, b.Says)
		}
	}
	return strings.Join(says, " Or: "), nil
}
