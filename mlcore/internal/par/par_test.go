package par

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

func TestDoVisitsEachOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7, 100} {
		visits := make([]atomic.Int32, 50)
		if err := Do(len(visits), workers, func(i int) error { visits[i].Add(1); return nil }); err != nil {
			t.Fatal(err)
		}
		for i := range visits {
			if got := visits[i].Load(); got != 1 {
				t.Errorf("workers %d: index %d visited %d times", workers, i, got)
			}
		}
	}
	if err := Do(0, 4, func(int) error { panic("no work to do") }); err != nil {
		t.Error(err)
	}
}

func TestDoReportsLowestError(t *testing.T) {
	for range 200 {
		err := Do(64, 8, func(i int) error {
			if i >= 11 {
				return fmt.Errorf("piece %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "piece 11" {
			t.Fatalf("error %v, want piece 11", err)
		}
	}
}

func TestChunksCoverTheRange(t *testing.T) {
	for _, tc := range []struct{ n, size int }{{0, 3}, {1, 3}, {3, 3}, {10, 3}} {
		seen := make([]int, tc.n)
		if err := Chunks(tc.n, tc.size, 2, func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				seen[i]++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for i, s := range seen {
			if s != 1 {
				t.Errorf("n %d, size %d: %d covered %d times", tc.n, tc.size, i, s)
			}
		}
	}
}

// Goroutines that come too late for any piece are not waited for, but those that are at
// one are, whether all goes well or a piece fails.
func TestNothingRunsAfterDo(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	broken := errors.New("broken")
	for _, failing := range []int{-1, 0, 3, 15} {
		for range 200 {
			var returned atomic.Bool
			inTime := func(what string) {
				if returned.Load() {
					t.Errorf("%s after Do has returned, piece %d failing", what, failing)
				}
			}
			err := DoWith(16, 8, func() int { inTime("scratch is made"); return 0 }, func(_, i int) error {
				if i == failing {
					return broken
				}
				if i%5 == 4 {
					time.Sleep(50 * time.Microsecond) // longer than Do looks before it sleeps
				}
				inTime("a piece is done")
				return nil
			})
			returned.Store(true)
			if want := failing >= 0; errors.Is(err, broken) != want {
				t.Fatalf("error %v, with piece %d failing", err, failing)
			}
		}
	}
}

// Goroutines that come too late do not pile up, however short the work is.
func TestLateGoroutinesAreFew(t *testing.T) {
	for _, processors := range []int{1, 2, 8} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			before, most, waiting := runtime.NumGoroutine(), 0, int64(0)
			for call := range 20_000 {
				if err := Do(8, 8, func(int) error { return nil }); err != nil {
					t.Fatal(err)
				}
				if waiting = max(waiting, late.Load()); call%100 == 0 {
					most = max(most, runtime.NumGoroutine()-before)
				}
			}
			// Those that have not begun are bounded exactly. Others have begun and not ended, which
			// takes as long as a loaded machine likes: 130 have been seen. Without a bound there
			// are ten thousand and more.
			if waiting > mostLate*8 {
				t.Errorf("%d processors: %d goroutines that have not begun", processors, waiting)
			}
			if most > 100*mostLate*8 {
				t.Errorf("%d processors: %d goroutines", processors, most)
			}
		}()
	}
}

func TestWorkers(t *testing.T) {
	for _, c := range []struct{ asked, want int }{{1, 1}, {7, 7}, {mostWorkers, mostWorkers}, {math.MaxInt, mostWorkers}, {0, runtime.GOMAXPROCS(0)}, {math.MinInt, runtime.GOMAXPROCS(0)}} {
		if got := Workers(c.asked); got != c.want {
			t.Errorf("Workers(%d) is %d, want %d", c.asked, got, c.want)
		}
	}
}
