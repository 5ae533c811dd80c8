package command

import (
	"context"
	"flag"
	"runtime"
	"sync"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// jobsFlag is the number of notebooks that run at the same time.
func jobsFlag(fs *flag.FlagSet) *int {
	return fs.Int("jobs", defaultJobs(runtime.NumCPU()), "how many notebooks run at the same time")
}

// defaultJobs is one notebook for each processor. Most of a run is cells that are
// compiled and linked, which keeps little more than one processor busy. The cells of
// many notebooks would need much memory, so there is an upper limit.
func defaultJobs(processors int) int { return min(processors, 8) }

func checkJobs(jobs int) error {
	if jobs < 1 {
		return usagef("--jobs is %d; at least one notebook must run", jobs)
	}
	return nil
}

// A batch is notebooks that are being run, several at a time, begun in their order.
type batch struct {
	*progress
	results []chan runResult
	stop    context.CancelFunc
	going   sync.WaitGroup
}

// A runResult is how a run ended.
type runResult struct {
	notebook *notebook.Notebook
	ran      bool // and not kept from an earlier run
	err      error
	seconds  float64
}

// A runFunc runs one notebook and calls cell as its cells begin.
type runFunc func(ctx context.Context, nb project.Notebook, cell func(n, total int)) (*notebook.Notebook, bool, error)

// begin starts to run those of the notebooks that are wanted. The caller closes
// the batch.
func (e *env) begin(ctx context.Context, nbs []project.Notebook, wanted func(i int) bool, jobs int, run runFunc) *batch {
	ctx, stop := context.WithCancel(ctx)
	b := &batch{progress: e.progress(nbs), stop: stop, results: make([]chan runResult, len(nbs))}
	var chosen []int
	for i := range nbs {
		b.results[i] = make(chan runResult, 1)
		if wanted(i) {
			chosen = append(chosen, i)
		}
	}
	next := make(chan int)
	go func() {
		defer close(next)
		for _, i := range chosen {
			next <- i
		}
	}()
	for range min(jobs, len(chosen)) {
		b.going.Go(func() {
			for i := range next {
				if err := ctx.Err(); err != nil {
					b.results[i] <- runResult{err: err}
					continue
				}
				start := time.Now()
				res, ran, err := run(ctx, nbs[i], func(n, total int) { b.cell(i, n, total) })
				b.end(i)
				b.results[i] <- runResult{res, ran, err, time.Since(start).Seconds()}
			}
		})
	}
	return b
}

// result waits until the notebook, which was wanted, has run.
func (b *batch) result(i int) runResult { return <-b.results[i] }

// close breaks off what still runs, and returns when nothing of it is left.
func (b *batch) close() {
	b.stop()
	b.going.Wait()
}
