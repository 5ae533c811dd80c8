package modelfile_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// childMark is the environment of a test's child.
	childMark = "MLLABS_TEST_CHILD"
	// What a child may have: address space for the largest file's bound twice over, and
	// less memory at which Go collects garbage in earnest.
	addressSpace, memoryLimit = 8 << 30, "512MiB"
)

// doing is the file that tells the parent what its child is doing, nil in other processes.
var doing *os.File

// inChild runs the test that calls it in a process of its own, whose memory is bounded: a
// file that takes all there is ends that process and not the machine's work, and what
// other tests have left is not counted. It returns true in the child, where the test goes
// on, and false in the parent, when the child has ended. The race detector's own memory is
// resident as well, so that with it there is nothing to measure: such tests are skipped,
// which decode in one goroutine.
func inChild(t *testing.T) bool {
	t.Helper()
	if raced {
		t.Skip("the race detector's own memory is resident as well; the test runs without it")
	}
	if os.Getenv(childMark) != "" {
		doing = os.NewFile(3, "doing")
		limit := syscall.Rlimit{Cur: addressSpace, Max: addressSpace}
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
			t.Fatal(err)
		}
		return true
	}
	note, err := os.CreateTemp(t.TempDir(), "doing")
	if err != nil {
		t.Fatal(err)
	}
	defer note.Close()
	args := []string{"-test.run=^" + t.Name() + "$", "-test.v"}
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "mutants" || f.Name == "test.short" {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	if end, ok := t.Deadline(); ok {
		args = append(args, fmt.Sprintf("-test.timeout=%v", time.Until(end)-5*time.Second))
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), childMark+"=1", "GOMEMLIMIT="+memoryLimit)
	cmd.ExtraFiles = []*os.File{note}
	out, err := cmd.CombinedOutput()
	switch ended := (*exec.ExitError)(nil); {
	case err == nil:
		t.Logf("%s", out)
	case errors.As(err, &ended) && bytes.Contains(out, []byte("--- FAIL")):
		t.Errorf("%s", out)
	default:
		last, _ := os.ReadFile(note.Name())
		t.Errorf("%v with %d MB of address space at %q\n%s", err, addressSpace>>20, bytes.TrimSpace(last), out[:min(len(out), 8000)])
	}
	return false
}

// peak is by how much the resident memory of a test's child rises above that before f, at
// the highest. Unlike what f allocates, this includes the stacks of goroutines and all
// else that Go does not count. It is 0 in other processes.
func peak(t *testing.T, name string, f func()) uint64 {
	t.Helper()
	if doing == nil {
		f()
		return 0
	}
	if _, err := doing.WriteAt(fmt.Appendf(nil, "%-200.200s", name), 0); err != nil {
		t.Fatal(err)
	}
	before := status(t, "VmRSS")
	if before > floor+16<<20 {
		// Free memory that Go has kept would hide what f takes.
		debug.FreeOSMemory()
		before = status(t, "VmRSS")
		floor = max(floor, before)
	}
	// 5 sets the peak to what is resident now.
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	f()
	after := status(t, "VmHWM")
	return max(after, before) - before
}

// floor is the most that a child had resident when it had freed all it could.
var floor uint64

// status is a field of this process's status in bytes.
func status(t *testing.T, name string) uint64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), name+":")
	number, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	kB, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return kB << 10
}

// Stacks are what Go does not count among the bytes that a function allocates.
func TestPeakSeesStacks(t *testing.T) {
	if !inChild(t) {
		return
	}
	const levels, size = 32 << 10, 1 << 10
	var descend func(level int) byte
	descend = func(level int) byte {
		var frame [size]byte
		if level > 0 {
			frame[level%size] = descend(level - 1)
		}
		return frame[0]
	}
	if rise := peak(t, "a deep recursion", func() { descend(levels) }); rise < levels*size {
		t.Errorf("the peak rises by %d bytes, the stack has %d", rise, levels*size)
	}
}
