package reuse

import (
	"sync"
	"weak"
)

// A Shelf lends values that are costly to make. What is on it, and not lent, goes with the
// next garbage collection. It lends last what was given back first, on whatever processor:
// a [sync.Pool] keeps a value for each, and whoever needs one at a time gets as many large
// ones as there are processors. The zero Shelf is empty, and safe for concurrent use.
type Shelf[T any] struct {
	mutex sync.Mutex
	free  []weak.Pointer[T]
}

// Take returns a value that was given back, or a new zero value.
func (s *Shelf[T]) Take() *T {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for n := len(s.free) - 1; n >= 0; n-- {
		v := s.free[n].Value()
		if s.free = s.free[:n]; v != nil {
			return v
		}
	}
	return new(T)
}

// Give puts a value on the shelf; the caller uses it no more.
func (s *Shelf[T]) Give(v *T) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.free = append(s.free, weak.Make(v))
}
