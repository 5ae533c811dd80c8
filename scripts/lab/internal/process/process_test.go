//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// script writes a shell script that sets a trap, starts a process which outlives
// it, notes that process's id in the file child, and waits. The file comes last:
// whoever sees it may send a signal.
func script(t *testing.T, trap string) (path, child string) {
	t.Helper()
	dir := t.TempDir()
	path, child = filepath.Join(dir, "script"), filepath.Join(dir, "child")
	text := "#!/bin/sh\n" + trap + "\nsleep 1000 &\necho $! > " + child + ".new; mv " + child + ".new " + child + "\nwait\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path, child
}

// waitFor waits for a file and returns what is in it.
func waitFor(t *testing.T, path string) string {
	t.Helper()
	var b []byte
	if !waits.Until(t, func() bool {
		var err error
		b, err = os.ReadFile(path)
		return err == nil
	}) {
		t.Fatalf("%s did not come", path)
	}
	return strings.TrimSpace(string(b))
}

func dead(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	// In containers nobody may collect orphans that have died.
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := strings.Cut(string(b), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}

func TestTheGroupDiesWithTheContext(t *testing.T) {
	for _, c := range []struct {
		name, trap string
		make       func(ctx context.Context, path string) *exec.Cmd
		said       string // the file said, if the script could still write it
	}{
		{"killed", "trap '' INT TERM HUP", func(ctx context.Context, path string) *exec.Cmd { return Command(ctx, path) }, ""},
		{"asked", "trap 'echo bye > $0.said; exit 0' TERM", func(ctx context.Context, path string) *exec.Cmd {
			return Gentle(ctx, time.Minute, path)
		}, "bye"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, child := script(t, c.trap)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			cmd := c.make(ctx, path)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(waitFor(t, child))
			if err != nil {
				t.Fatal(err)
			}
			cancel()
			if err := cmd.Wait(); err == nil {
				t.Error("no error of a command that was stopped")
			}
			if !dies(t, pid) {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Errorf("the child %d survived", pid)
			}
			if b, _ := os.ReadFile(path + ".said"); strings.TrimSpace(string(b)) != c.said {
				t.Errorf("said %q", b)
			}
		})
	}
}

// A process that has left its group is found by its environment.
func TestKillMarked(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a process's environment")
	}
	setsid, err := exec.LookPath("setsid")
	if err != nil {
		t.Fatal(err)
	}
	start := func(mark string) int {
		path, child := script(t, "")
		cmd := exec.Command(setsid, "-f", path)
		cmd.Env = append(os.Environ(), "MLLABS_TEST_MARK="+mark)
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(waitFor(t, child))
		if err != nil {
			t.Fatal(err)
		}
		return pid
	}
	mine, other := start("a"), start("ab")
	KillMarked("MLLABS_TEST_MARK=a")
	if !dies(t, mine) || dead(other) {
		t.Errorf("the marked one is dead: %t, the other: %t", dead(mine), dead(other))
	}
	KillMarked("MLLABS_TEST_MARK=ab")
	if !dies(t, other) {
		t.Error("the other survived its mark")
	}
}

// The times of a group are those of all its members.
func TestUsed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a process's times")
	}
	cmd := exec.Command("sh", "-c", "while :; do :; done & wait") // the child works, not the leader
	OwnGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	group := cmd.Process.Pid
	var used time.Duration
	known := true
	for used < 50*time.Millisecond && known {
		time.Sleep(10 * time.Millisecond)
		used, known = Used(group)
	}
	KillGroup(group)
	cmd.Wait()
	if !known {
		t.Error("the times of a living group are not known")
	}
	if used, known := Used(1 << 30); known || used != 0 {
		t.Errorf("a group that is not there has used %v", used)
	}
}

// dies waits for the death of a process.
func dies(t *testing.T, pid int) bool { return waits.Until(t, func() bool { return dead(pid) }) }
