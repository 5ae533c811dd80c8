//go:build !unix

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"runtime"
)

// Unsafe returns a runner that runs nothing: a program here cannot be given a file to
// report to. On Windows, use the subsystem for Linux.
func Unsafe() Runner { return unsafeRunner{} }

type unsafeRunner struct{}

func (unsafeRunner) Contains() bool { return false }

func (unsafeRunner) Run(context.Context, Job) (Result, error) {
	return Result{}, fmt.Errorf("jobs cannot be run on %s; use Linux or macOS: %w", runtime.GOOS, errors.ErrUnsupported)
}
