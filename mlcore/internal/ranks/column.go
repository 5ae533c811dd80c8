package ranks

import "math"

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
	if c.rows != nil {
		return c.x.At(int(c.rows[code]), c.j) + 0 // -0 becomes 0
	}
	return c.values[code]
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
