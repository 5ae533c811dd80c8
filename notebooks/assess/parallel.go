package assess

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls f(0) to f(n-1), several at a time. If a call panics, the lowest
// such is made again by the caller's goroutine: there a check can recover from the
// panic, and its trace has both the caller's line and that of the mistake.
func inParallel(n int, f func(i int)) {
	panics := make([]any, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				func() {
					defer func() { panics[i] = recover() }()
					f(i)
				}()
			}
		})
	}
	workers.Wait()
	for i, p := range panics {
		if p != nil {
			f(i)
			panic(p) // f does not depend on its arguments alone
		}
	}
}
