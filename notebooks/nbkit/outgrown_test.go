package nbkit

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"testing"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/grading"
)

// The memory counts from the start of the case, and where the stack has grown too much,
// Go leaves time to show the score.
func TestGrownFrom(t *testing.T) {
	limit := debug.SetMaxStack(1 << 29)
	t.Cleanup(func() { debug.SetMaxStack(limit) })
	start := usage{stack: 5 << 20, heap: 3 << 30}
	for _, c := range []struct {
		name  string
		now   usage
		want  error
		limit int // of the stack, from now on
	}{
		{"nothing", start, nil, 1 << 29},
		{"as much as may be", usage{start.stack + mostStack, start.heap + mostHeap}, nil, 1 << 29},
		{"less", usage{}, nil, 1 << 29},
		{"heap", usage{start.stack, start.heap + mostHeap + 1}, errHeap, 1 << 29},
		{"stack", usage{start.stack + mostStack + 1, start.heap}, errStack, math.MaxInt32},
	} {
		err := c.now.grownFrom(start)
		if !errors.Is(err, c.want) || tooBig(err) != (err != nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err != nil && !errors.Is(err, errNoAnswer) {
			t.Errorf("%s: the score does not say that there is no answer", c.name)
		}
		if got := debug.SetMaxStack(c.limit); got != c.limit {
			t.Errorf("%s: a stack may have %d bytes, want %d", c.name, got, c.limit)
		}
	}
}

// A program that grades does not look at the memory. It cannot be undone that a program
// grades, so another one does here.
func TestMemoryTicks(t *testing.T) {
	const graded = "NBKIT_TEST_GRADES"
	if os.Getenv(graded) == "" {
		ticks, stop := memoryTicks()
		<-ticks
		stop()
		cmd := exec.Command(os.Args[0], "-test.run=^TestMemoryTicks$")
		cmd.Env = append(os.Environ(), graded+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	grading.Begin()
	ticks, stop := memoryTicks()
	defer stop()
	if ticks != nil {
		t.Error("a program that grades looks at the memory")
	}
}
