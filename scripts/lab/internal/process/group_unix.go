//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup makes the command the leader of a process group, so that a terminal's
// Ctrl-C does not reach it: the tool decides what dies, and in which order.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillGroup kills the process group that a process leads.
func KillGroup(pid int) {
	if pid > 1 {
		syscall.Kill(-pid, syscall.SIGKILL)
	}
}

func endGroup(pid int) {
	if pid > 1 {
		syscall.Kill(-pid, syscall.SIGTERM)
	}
}
