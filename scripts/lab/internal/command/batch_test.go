package command

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// A command that ends early, whatever for, leaves no kernel behind.
func TestBatchClose(t *testing.T) {
	nbs := []project.Notebook{{Topic: "1"}, {Topic: "2"}, {Topic: "3"}, {Topic: "4"}}
	var begun, ended atomic.Int32
	both := make(chan bool)
	b := (&env{out: io.Discard}).begin(t.Context(), nbs, func(i int) bool { return i != 1 }, 2,
		func(ctx context.Context, nb project.Notebook, cell func(int, int)) (*notebook.Notebook, bool, error) {
			if begun.Add(1) == 2 {
				close(both)
			}
			<-ctx.Done()
			time.Sleep(10 * time.Millisecond) // what it takes to kill a kernel
			ended.Add(1)
			return nil, true, ctx.Err()
		})
	<-both
	b.close()
	if begun.Load() != 2 || ended.Load() != 2 {
		t.Errorf("%d begun, %d ended", begun.Load(), ended.Load())
	}
	for _, i := range []int{0, 2, 3} {
		if res := b.result(i); res.err == nil {
			t.Errorf("result %d: no error", i)
		}
	}
}

func TestDefaultJobs(t *testing.T) {
	for processors, want := range map[int]int{1: 1, 2: 2, 4: 4, 8: 8, 64: 8} {
		if got := defaultJobs(processors); got != want {
			t.Errorf("%d processors: %d notebooks at a time, want %d", processors, got, want)
		}
	}
}
