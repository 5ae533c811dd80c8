//go:build unix

package pdf

import (
	"os/exec"
	"syscall"
)

// ownGroup lets the browser and its many processes be ended together, by this
// tool and not by a terminal's Ctrl-C.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a process group.
func killGroup(pid int) {
	if pid > 1 {
		syscall.Kill(-pid, syscall.SIGKILL)
	}
}
