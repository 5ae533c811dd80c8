package reuse

import (
	"runtime"
	"sync"
	"testing"
)

type large struct{ room [1 << 12]byte }

// By hand: what was given back is taken first, the latest before others; an empty shelf
// makes a new value; a collection of garbage empties it of what nobody has.
func TestShelf(t *testing.T) {
	var s Shelf[large]
	a, b := s.Take(), s.Take()
	if a == b {
		t.Fatal("one value was lent twice")
	}
	a.room[0], b.room[0] = 1, 2
	s.Give(a)
	s.Give(b)
	if got := s.Take(); got != b {
		t.Error("the latest did not come first")
	}
	if got := s.Take(); got != a {
		t.Error("the earlier did not come second")
	}
	if got := s.Take(); got.room[0] != 0 {
		t.Error("a value was lent twice")
	}
	func() {
		v := s.Take()
		v.room[0] = 3
		s.Give(v)
	}()
	runtime.GC()
	if got := s.Take(); got.room[0] != 0 {
		t.Error("the shelf kept what nobody has")
	}
}

// However processors take turns, whoever needs one value at a time gets the same; the
// values of many at a time are different.
func TestShelfOfMany(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	var s Shelf[large]
	kept := s.Take()
	s.Give(kept)
	for range 100 {
		turn := make(chan *large)
		go func() {
			v := s.Take()
			s.Give(v)
			turn <- v
		}()
		if got := <-turn; got != kept {
			t.Fatal("another value")
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				v := s.Take()
				if v.room[0]++; v.room[0] != 1 {
					t.Error("two have the same value")
				}
				v.room[0] = 0
				s.Give(v)
			}
		})
	}
	wg.Wait()
}
