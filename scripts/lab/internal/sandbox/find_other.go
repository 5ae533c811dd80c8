//go:build !linux

package sandbox

import (
	"context"
	"fmt"
	"runtime"
)

// Find returns a runner that holds against malice, or says what this machine lacks.
func Find(context.Context) (Runner, error) {
	return nil, fmt.Errorf("there is no sandbox for %s: it needs Linux with bubblewrap; use a virtual machine, or on Windows the subsystem for Linux", runtime.GOOS)
}
