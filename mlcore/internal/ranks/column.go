package ranks

import (
	"math"
	"sort"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Code returns the code of a row.
func (c *Column) Code(row int32) uint32 {
	switch {
	case c.C8 != nil:
		return uint32(c.C8[row])
	case c.C16 != nil:
		return uint32(c.C16[row])
	}
	return c.C32[row]
}

// Distinct is the number of values that are not missing, of a numeric column.
func (c *Column) Distinct() int {
	if c.Missing {
		return c.Bins - 1
	}
	return c.Bins
}

// Values lists the distinct values of a numeric column, ascending; nil where there are
// more than 65,536.
func (c *Column) Values() []float64 { return c.values }

// Value returns the value that a code stands for in a numeric column.
func (c *Column) Value(code uint32) float64 {
	if c.many != nil {
		return c.many.at(c.many.row(c, code))
	}
	return c.values[code]
}

// ValueAt returns the value of a row that is not missing, in a numeric column.
func (c *Column) ValueAt(row int32) float64 {
	if c.many != nil {
		return c.many.at(row)
	}
	return c.values[c.Code(row)]
}

// Keys are the values of a numeric column by row, as [KeyOf] makes whole numbers of them,
// made when they are asked for first; nil where one is missing or they would take much
// memory.
func (c *Column) Keys() []uint64 {
	if c.keys == nil {
		return nil
	}
	c.keys.once.Do(func() {
		c.keys.byRow = make([]uint64, c.keys.rows)
		for i := range c.keys.byRow {
			c.keys.byRow[i] = KeyOf(c.values[c.Code(int32(i))])
		}
	})
	return c.keys.byRow
}

// mostKeys is of how many rows a column has Keys at most.
const mostKeys = 1 << 17

type keys struct {
	once  sync.Once
	rows  int
	byRow []uint64
}

// A lookup finds the values of a column that has many: it keeps a row for each, in half
// the memory of the values, and not before one is asked for by its code.
type lookup struct {
	x    mat.Matrix
	j    int
	once sync.Once
	rows []int32
}

func (l *lookup) at(row int32) float64 { return l.x.At(int(row), l.j) + 0 } // -0 becomes 0

// row returns a row that has the code in column c, whose lookup this is.
func (l *lookup) row(c *Column, code uint32) int32 {
	l.once.Do(func() {
		l.rows = make([]int32, c.Bins)
		for i, code := range c.C32 {
			l.rows[code] = int32(i)
		}
	})
	return l.rows[code]
}

// Span returns the least and the greatest code of values that are not missing,
// and whether one is missing. Where all are, lo > hi.
func (c *Column) Span(rows []int32) (lo, hi uint32, missing bool) {
	lo = math.MaxUint32
	switch {
	case c.Missing:
		for _, i := range rows {
			if v := c.Code(i); v == uint32(c.Bins-1) {
				missing = true
			} else {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	case c.C8 != nil:
		lo, hi = span(rows, c.C8)
	case c.C16 != nil:
		lo, hi = span(rows, c.C16)
	default:
		lo, hi = span(rows, c.C32)
	}
	return lo, hi, missing
}

func span[C uint8 | uint16 | uint32](rows []int32, codes []C) (uint32, uint32) {
	lo := codes[rows[0]]
	hi := lo
	for _, i := range rows {
		lo, hi = min(lo, codes[i]), max(hi, codes[i])
	}
	return uint32(lo), uint32(hi)
}

// RankAtMost is the greatest code whose value is at most t.
func (c *Column) RankAtMost(t float64) uint32 {
	lo, hi := 0, c.Distinct()
	for lo < hi {
		if m := (lo + hi) / 2; c.Value(uint32(m)) <= t {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return uint32(lo - 1)
}

// LastAtMost is the greatest code among rows whose value is at most t, where that of code
// lo, which a row has, is and that of hi is not.
func (c *Column) LastAtMost(t float64, rows []int32, lo, hi uint32) uint32 {
	// To look at every row of few is less than to look for values.
	const few = 128
	switch {
	case len(rows) > few:
		return c.RankAtMost(t)
	case c.C8 != nil:
		return lastAtMost(c, c.C8, t, rows, lo, hi)
	case c.C16 != nil:
		return lastAtMost(c, c.C16, t, rows, lo, hi)
	}
	return lastAtMost(c, c.C32, t, rows, lo, hi)
}

// lastAtMost narrows the span. Of m rows in random order, some 2 log m are inside of it when
// their turn comes; only their values are looked for.
func lastAtMost[C uint8 | uint16 | uint32](c *Column, codes []C, t float64, rows []int32, lo, hi uint32) uint32 {
	for _, i := range rows {
		if v := uint32(codes[i]); v > lo && v < hi {
			if c.Value(v) <= t {
				lo = v
			} else {
				hi = v
			}
		}
	}
	return lo
}

// CodesBelow is how many codes stand for values below t.
func (c *Column) CodesBelow(t float64) int {
	return sort.Search(c.Distinct(), func(v int) bool { return c.Value(uint32(v)) >= t })
}

// Next is the least code above last among rows.
func (c *Column) Next(rows []int32, last uint32) uint32 {
	next := uint32(math.MaxUint32)
	for _, i := range rows {
		if v := c.Code(i); v > last {
			next = min(next, v)
		}
	}
	return next
}
