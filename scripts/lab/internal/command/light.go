//go:build light

package command

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// download has the whole tool fetch a data set from its home: what that takes of a network
// is a quarter of what Go would have to compile for the light tool, and all sets are in a clone.
func (e *env) download(ctx context.Context, name string) error {
	var out bytes.Buffer
	cmd := process.Command(ctx, "go", "run", "./scripts/lab", "data", "fetch", name)
	cmd.Dir, cmd.Stderr = e.Root, &out
	if err := cmd.Run(); err != nil {
		return errors.New(strings.TrimSpace(out.String()))
	}
	return nil
}
