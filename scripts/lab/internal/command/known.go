//go:build !light

package command

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// tryKnown tries the known right and wrong answers to the exercises of a notebook, if
// there is a catalogue of them.
func (e *env) tryKnown(ctx context.Context, chain *cell.Toolchain, c *studentCopy) ([]notebook.Problem, error) {
	catalogue, err := mistakes.Read(mistakes.Path(c.of.Path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return []notebook.Problem{{Cell: -1, Text: err.Error()}}, nil
	}
	return mistakes.Verify(ctx, chain, c.worked, c.copy, c.exercises, catalogue)
}

// knownText is what the catalogue holds, nothing if there is none.
func knownText(c *studentCopy) ([]byte, error) {
	text, err := os.ReadFile(mistakes.Path(c.of.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
