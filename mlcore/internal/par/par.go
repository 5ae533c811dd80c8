// Package par runs independent pieces of work on several goroutines. Numbered
// pieces flow in; each writes to a place of its own, so results do not depend on
// the number of workers.
package par

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns n, or the number of usable processors where n is not positive.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Do calls f(i) for i in [0, n), on at most workers goroutines (0: one a
// processor). It returns the error of the lowest failing i, so that which error
// is reported does not depend on timing either. A panic of f is an error that wraps
// [ErrPanic], on whichever goroutine: in one of ours it would end the program, whatever
// the caller's does to recover.
func Do(n, workers int, f func(i int) error) error {
	return DoWith(n, workers, func() struct{} { return struct{}{} }, func(_ struct{}, i int) error { return f(i) })
}

// DoWith is Do for work that needs scratch space: each goroutine calls scratch
// once and passes the result to its calls of f.
func DoWith[S any](n, workers int, scratch func() S, f func(s S, i int) error) error {
	workers = min(Workers(workers), n)
	if n == 0 {
		return nil
	}
	if workers <= 1 {
		return inOrder(n, scratch, f)
	}
	var (
		errs   = make([]error, n)
		next   atomic.Int64
		failed atomic.Bool
		wg     sync.WaitGroup
	)
	work := func() {
		// Indices are handed out in order and one that has been handed out is run,
		// so every index below a failing one reports too.
		i, ended := int(next.Add(1))-1, false
		defer func() {
			if !ended {
				errs[i] = asError(recover())
				failed.Store(true)
			}
		}()
		if i < n {
			s := scratch()
			for i < n {
				if err := f(s, i); err != nil {
					errs[i] = err
					failed.Store(true)
				}
				if failed.Load() {
					break
				}
				i = int(next.Add(1)) - 1
			}
		}
		ended = true
	}
	for range workers - 1 {
		wg.Go(work)
	}
	work() // the caller is the last of them
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

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
