//go:build !unix

package setup

import (
	"context"
	"errors"
	"io"
)

// GoNB itself needs named pipes.
func lock(context.Context, string, io.Writer) (unlock func(), err error) {
	return nil, errors.New("notebooks run on Linux and macOS; on Windows use WSL")
}
