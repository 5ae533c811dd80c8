//go:build !js

package peers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// ask runs a Python script on a request and returns what it prints, and the
// interpreter that ran it.
func ask(ctx context.Context, script string, request []byte) (out []byte, python string, err error) {
	if python, err = Python(); err != nil {
		return nil, "", err
	}
	cmd := exec.CommandContext(ctx, python, "-c", script)
	cmd.Stdin = bytes.NewReader(request)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	if ctx.Err() != nil {
		return nil, python, fmt.Errorf("peers: %w", ctx.Err())
	}
	if err != nil {
		var missing *exec.Error
		if errors.As(err, &missing) {
			return nil, python, fmt.Errorf("%w: %v", ErrUnavailable, err)
		}
		return nil, python, fmt.Errorf("peers: %s: %w: %s", python, err, lastLine(stderr.String()))
	}
	return out, python, nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
