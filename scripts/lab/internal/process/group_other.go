//go:build !unix

package process

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

// OwnGroup does nothing where there are no process groups.
func OwnGroup(*exec.Cmd) {}

// KillGroup kills a process and, on Windows, those that it has started; others stay where
// there are no process groups.
func KillGroup(pid int) {
	if runtime.GOOS == "windows" && pid > 1 && exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(pid)).Run() == nil {
		return
	}
	if p, err := os.FindProcess(pid); err == nil && pid > 1 {
		p.Kill()
	}
}

func endGroup(pid int) { KillGroup(pid) }
