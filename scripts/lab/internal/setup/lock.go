package setup

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lock keeps a second set-up of the same checkout waiting.
func lock(ctx context.Context, path string, log io.Writer) (unlock func(), err error) {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		os.RemoveAll(path)
	}
	os.Chmod(path, 0o644) // it may have lost its rights
	f := flock.New(path, flock.SetPermissions(0o644))
	locked, err := f.TryLock()
	os.Chmod(path, 0o644) // root opens it without the rights that others need
	if err == nil && !locked {
		if log != nil {
			fmt.Fprintln(log, "set-up: another set-up of this checkout is at work; waiting for it")
		}
		_, err = f.TryLockContext(ctx, 200*time.Millisecond)
	}
	switch {
	case ctx.Err() != nil:
		f.Close()
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { f.Close() }, nil
}
