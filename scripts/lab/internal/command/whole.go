//go:build !light

package command

import (
	"context"

	"github.com/mllabs-go/mllabs/datasets/download"
)

// What the light tool goes without, because Go would have to compile much more for it. Files
// with this build constraint are left out of it.
func init() { available = append(available, checkCommand, dataCommand) }

// download fetches a data set from its home.
func (e *env) download(ctx context.Context, name string) error {
	_, err := download.Fetch(ctx, name, nil)
	return err
}
