package svm

import "math"

// A rowCache keeps rows of the kernel matrix, the latest used ones when not all
// find room. Row and column numbers are positions in the solver's order, of
// which the cache covers the first width.
type rowCache struct {
	pieces [][]float64 // as many as were needed so far; one slot after the other
	length int         // of each piece
	most   int         // how many pieces there may be
	width  int         // values in a slot
	rows   [][]float64 // each slot
	slot   []int32     // of each position, -1 where it has none
	owner  []int32     // position of each slot
	used   []int64     // when each slot was used last
	clock  int64
}

// pieceLength is the length of a piece that has room for eight rows or more. Most fits
// need a part of the rows, and memory that is not asked for need not be cleared.
const pieceLength = 1 << 17

// newRowCache makes a cache for n rows and columns with room for at most the
// given number of bytes, but for two rows at least: those that one step needs.
// pieces is memory to use again, or nil.
func newRowCache(n, bytes int, pieces [][]float64) *rowCache {
	slots := max(min(bytes/8/n, n), 2)
	c := &rowCache{length: min(slots*n, max(pieceLength, 8*n))}
	c.most = (slots + c.length/n - 1) / (c.length / n)
	if allowed := bytes / 8; c.most*c.length > allowed {
		c.most = max(allowed/c.length, 1)
	}
	for _, p := range pieces {
		if cap(p) >= c.length && len(c.pieces) < c.most {
			c.pieces = append(c.pieces, p[:c.length])
		}
	}
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
	c.rows, c.owner, c.used = c.rows[:0], c.owner[:0], c.used[:0]
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
	return c.rows[s], filled
}

// place is where a slot lies.
func (c *rowCache) place(slot int) []float64 {
	per := c.length / c.width
	return c.pieces[slot/per][slot%per*c.width:][:c.width:c.width]
}

// claim returns a slot that is empty, or else the one unused for longest.
func (c *rowCache) claim() int32 {
	per := c.length / c.width
	if n := len(c.owner); n < min(c.most*per, math.MaxInt32) {
		if n/per == len(c.pieces) {
			c.pieces = append(c.pieces, make([]float64, c.length))
		}
		c.rows, c.owner, c.used = append(c.rows, c.place(n)), append(c.owner, 0), append(c.used, 0)
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
// keep[k] becomes position k. Slots move towards the front of the pieces, of which each
// has room for as many as before or more, to places that are no longer needed.
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
		from, to := old.rows[s], c.place(n)
		for t, q := range keep {
			to[t] = from[q]
		}
		c.rows[n], c.owner[n], c.used[n], c.slot[k] = to, k, old.used[s], int32(n)
		n++
	}
	c.rows, c.owner, c.used = c.rows[:n], c.owner[:n], c.used[:n]
}
