// Package par runs independent pieces of work on several goroutines. Numbered
// pieces flow in; each writes to a place of its own, so results do not depend on
// the number of workers.
package par

import (
	"runtime"
	"sync/atomic"
)

// mostWorkers is more than there are processors. What a caller asks for beyond it must not
// overflow where work is shared out, nor take time to share it.
const mostWorkers = 1 << 12

// Workers returns n, at most mostWorkers, or the number of usable processors where n is not
// positive.
func Workers(n int) int {
	if n > 0 {
		return min(n, mostWorkers)
	}
	return runtime.GOMAXPROCS(0)
}

// Do calls f(i) for i in [0, n), on at most workers goroutines (0: one a
// processor). It returns the error of the lowest failing i, so that which error
// is reported does not depend on timing either. A panic of f is an error that wraps
// [ErrPanic], on whichever goroutine: in one of ours it would end the program, whatever
// the caller's does to recover. Goroutines that found no work may end after Do has returned;
// they call f no more.
func Do(n, workers int, f func(i int) error) error {
	return DoWith(n, workers, func() struct{} { return struct{}{} }, func(_ struct{}, i int) error { return f(i) })
}

// DoWith is Do for work that needs scratch space: each goroutine that gets a piece calls
// scratch once and passes the result to its calls of f.
func DoWith[S any](n, workers int, scratch func() S, f func(s S, i int) error) error {
	workers = min(Workers(workers), n)
	if n == 0 {
		return nil
	}
	if workers <= 1 {
		return inOrder(n, scratch, f)
	}
	var (
		errs = make([]error, n)
		next atomic.Int64             // the next index to be handed out
		left atomic.Int64             // how many indices are not done with
		done = make(chan struct{}, 1) // told when none is left
	)
	left.Store(int64(n))
	// Indices are handed out in order and one that has been handed out is run, so every
	// index below a failing one reports too. The others are left out.
	fail := func(i int, err error) (leftOut int) {
		errs[i] = err
		return max(0, n-int(next.Swap(int64(n))))
	}
	work := func() {
		i, did := int(next.Add(1))-1, 0
		defer func() {
			if i < n { // it was not done
				did += 1 + fail(i, asError(recover()))
			}
			if did > 0 && left.Add(-int64(did)) == 0 {
				done <- struct{}{}
			}
		}()
		if i < n {
			for s := scratch(); i < n; i = int(next.Add(1)) - 1 {
				if err := f(s, i); err != nil {
					did += fail(i, err)
				}
				did++
			}
		}
	}
	for range workers - 1 {
		if late.Load() >= int64(mostLate*workers) {
			break
		}
		late.Add(1)
		go func() {
			late.Add(-1)
			work()
		}()
	}
	work() // the caller is the last of them
	// It waits for the work, and not for goroutines that come too late to do any: to wake
	// a thread takes long, and of many processors some always are asleep.
	if !await(patience, func() bool { return left.Load() == 0 }) {
		<-done
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// late counts goroutines of DoWith that were started and have not begun. A caller that asks
// for short work again and again, and does it before any of them begins, would start more
// without end: it goes on alone once there are mostLate for each of its workers.
var late atomic.Int64

const mostLate = 4

// patience is how often Do looks whether its work is done before it sleeps, which takes 3 to
// 5 microseconds of a Xeon.
const patience = 1 << 7

// inOrder is DoWith on the caller's goroutine alone.
func inOrder[S any](n int, scratch func() S, f func(s S, i int) error) (err error) {
	defer Recover(&err)
	s := scratch()
	for i := range n {
		if err := f(s, i); err != nil {
			return err
		}
	}
	return nil
}

// Chunks splits [0, n) into runs of at most size and calls f(lo, hi) for each,
// on at most workers goroutines.
func Chunks(n, size, workers int, f func(lo, hi int) error) error {
	return Do((n+size-1)/size, workers, func(c int) error {
		return f(c*size, min((c+1)*size, n))
	})
}
