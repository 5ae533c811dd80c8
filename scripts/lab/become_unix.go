//go:build unix

package main

import (
	"os"
	"syscall"
)

// become replaces this process by a program, which keeps its terminal and receives its
// signals, and whose exit code becomes that of the process.
func become(path string, args []string) error {
	return syscall.Exec(path, append([]string{path}, args...), os.Environ())
}
