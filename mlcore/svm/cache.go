package svm

import "math"

// A rowCache keeps rows of the kernel matrix, the latest used ones when not all
// find room. Row and column numbers are positions in the solver's order, of
// which the cache covers the first width.
type rowCache struct {
	slab  []float64 // one slot after the other, of width values each
	width int
	slot  []int32 // of each position, -1 where it has none
	owner []int32 // position of each slot
	used  []int64 // when each slot was used last
	clock int64
}

// newRowCache makes a cache for n rows and columns with room for at most the
// given number of bytes, but for two rows at least: those that one step needs.
// slab is memory to use again, or nil.
func newRowCache(n, bytes int, slab []float64) *rowCache {
	size := max(min(bytes/8/n, n), 2) * n
	if cap(slab) < size {
		slab = make([]float64, size)
	}
	c := &rowCache{slab: slab[:size]}
	c.reset(n)
	return c
}

// reset forgets all rows; from now on they are of n values.
func (c *rowCache) reset(n int) {
	c.width = n
	c.slot = make([]int32, n)
	for p := range c.slot {
		c.slot[p] = -1
	}
	c.owner, c.used = c.owner[:0], c.used[:0]
}

// row returns the slot of position p and whether it already holds the row.
func (c *rowCache) row(p int) (row []float64, filled bool) {
	c.clock++
	s := c.slot[p]
	if filled = s >= 0; !filled {
		s = c.claim()
		c.owner[s], c.slot[p] = int32(p), s
	}
	c.used[s] = c.clock
	return c.at(int(s)), filled
}

func (c *rowCache) at(slot int) []float64 { return c.slab[slot*c.width:][:c.width:c.width] }

// claim returns a slot that is empty, or else the one unused for longest.
func (c *rowCache) claim() int32 {
	if n := len(c.owner); n < min(len(c.slab)/c.width, math.MaxInt32) {
		c.owner, c.used = append(c.owner, 0), append(c.used, 0)
		return int32(n)
	}
	oldest := 0
	for s, t := range c.used {
		if t < c.used[oldest] {
			oldest = s
		}
	}
	c.slot[c.owner[oldest]] = -1
	return int32(oldest)
}

// narrow keeps the rows and columns at the given positions, which ascend;
// keep[k] becomes position k. Slots move towards the front of the slab, each to
// a place that is no longer needed.
func (c *rowCache) narrow(keep []int32) {
	old := *c
	position := make([]int32, old.width)
	for p := range position {
		position[p] = -1
	}
	for k, p := range keep {
		position[p] = int32(k)
	}
	c.width = len(keep)
	c.slot = c.slot[:len(keep)]
	for k := range c.slot {
		c.slot[k] = -1
	}
	n := 0
	for s, p := range old.owner {
		k := position[p]
		if k < 0 {
			continue
		}
		from, to := old.at(s), c.at(n)
		for t, q := range keep {
			to[t] = from[q]
		}
		c.owner[n], c.used[n], c.slot[k] = k, old.used[s], int32(n)
		n++
	}
	c.owner, c.used = c.owner[:n], c.used[:n]
}
