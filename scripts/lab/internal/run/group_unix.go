//go:build unix

package run

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a terminal's Ctrl-C from reaching the runner directly: the tool
// decides what dies, and in which order.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a process group; kernels are leaders of their own.
func killGroup(pid int) {
	if pid > 1 {
		syscall.Kill(-pid, syscall.SIGKILL)
	}
}
