//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// OwnGroup does nothing where there are no process groups.
func OwnGroup(*exec.Cmd) {}

// KillGroup kills the process alone where there are no process groups.
func KillGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil && pid > 1 {
		p.Kill()
	}
}

func endGroup(pid int) { KillGroup(pid) }
