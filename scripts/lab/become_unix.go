//go:build unix

package main

import (
	"os"
	"syscall"
)

// become runs a program in the place of this one, which it outlives with all that a
// process has: terminal, signals and exit code.
func become(path string, args []string) error {
	return syscall.Exec(path, append([]string{path}, args...), os.Environ())
}
