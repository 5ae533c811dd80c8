//go:build unix

package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// lock keeps a second set-up of the same checkout waiting.
func lock(ctx context.Context, path string, log io.Writer) (unlock func(), err error) {
	open := func() (*os.File, error) { return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644) }
	f, err := open()
	if err != nil { // a folder stands there, or it lost its rights
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			os.RemoveAll(path)
		}
		os.Chmod(path, 0o644)
		if f, err = open(); err != nil {
			return nil, err
		}
	}
	f.Chmod(0o644) // root opens it without the rights that others need
	told := false
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if !told && log != nil {
			told = true
			fmt.Fprintln(log, "set-up: another set-up of this checkout is at work; waiting for it")
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}
