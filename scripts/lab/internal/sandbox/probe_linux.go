package sandbox

import (
	"fmt"
	"os"
	"syscall"
)

// A program of ours that has the variable is a probe, and nothing else: it runs before
// main, so that tests can be probes as well.
func init() {
	if text, ok := os.LookupEnv(probeName); ok {
		os.Exit(beProbe(text))
	}
}

// secondProcess is what a job has only if it may start programs.
const secondProcess = "a second process"

// beProbe tries what must not work and reports what did, and that it came to its end.
func beProbe(text string) int {
	report := os.NewFile(3, "report")
	var port, parent int
	var secret string
	if _, err := fmt.Sscan(text, &port, &parent, &secret); err != nil || report == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0); err == nil {
		if syscall.Connect(socket, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}) == nil {
			fmt.Fprintln(report, "the network")
		}
	}
	for _, file := range []string{secret, "/etc/passwd", "/etc/shadow"} {
		if _, err := os.ReadFile(file); err == nil {
			fmt.Fprintln(report, "the file", file)
		}
	}
	if err := os.WriteFile("/written", nil, 0o600); err == nil {
		fmt.Fprintln(report, "a root to write to")
	}
	// Numbers are those of a namespace: a small one may be our own.
	if parent > 10 && syscall.Kill(parent, 0) == nil {
		fmt.Fprintln(report, "the process", parent)
	}
	// The new process would find no such program, unless it may not be.
	if _, err := syscall.ForkExec("/none", []string{"none"}, nil); err == syscall.ENOENT {
		fmt.Fprintln(report, secondProcess)
	}
	fmt.Fprintln(report, "done")
	return 0
}
