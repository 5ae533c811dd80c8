package histtree

import (
	"math"
	"math/bits"
)

// An entry sums up the rows of one bin: the residuals, and in one word the
// number of rows (high bits) and the curvatures (low bits), in units of a scale.
type entry struct {
	residual int64
	rest     uint64
}

func (e *entry) add(o entry) {
	e.residual += o.residual
	e.rest += o.rest
}

func (e *entry) subtract(o entry) {
	e.residual -= o.residual
	e.rest -= o.rest
}

// blockBins is the room of one column in a histogram: its 256 codes and some
// entries more, which keep the columns' first bins in different cache sets.
const blockBins = 272

// A block is the part of a histogram that belongs to the columns of one word of
// codes.
type block [blockWidth][blockBins]entry

// A scale turns sums in fixed point into numbers.
type scale struct {
	residual, curvature float64 // the worth of one unit
	shift               uint    // the number of rows starts at this bit of rest
	one                 uint64  // 1 << shift: one row
}

// A fixed is the residual and the curvature of a row in fixed point, 32 bits each.
type fixed uint64

func (f fixed) entry(one uint64) entry {
	return entry{int64(f) >> 32, uint64(uint32(f)) + one}
}

// newScale returns the scale for n rows whose residuals and curvatures are at
// most these in size. Units are powers of 2, so that scaling does not round.
// Sums of n residuals of 31 bits fit 64 bits; sums of n curvatures share theirs
// with the number of rows.
func newScale(n int, residual, curvature float64) scale {
	rowBits := bits.Len(uint(n))
	curvatureBits := min(31, 64-2*rowBits)
	s := scale{shift: uint(64 - rowBits), one: 1 << (64 - rowBits)}
	s.residual = unit(residual, 30)
	s.curvature = unit(curvature, curvatureBits-1)
	return s
}

// unit returns the power of 2 of which greatest is at most 2^digits.
func unit(greatest float64, digits int) float64 {
	if greatest == 0 {
		return 1
	}
	_, e := math.Frexp(greatest)
	return math.Ldexp(1, max(e-digits, -1000))
}

// roundingBase is 1.5·2^52: a number of up to 51 bits added to it is rounded to a
// whole one, which then stands in the lowest bits of the sum.
const roundingBase = 3 << 51

// fix rounds a residual and a curvature, given the reciprocals of the units.
func fix(residual, curvature, perResidual, perCurvature float64) fixed {
	r := math.Float64bits(float64(residual*perResidual) + roundingBase)
	c := math.Float64bits(float64(curvature*perCurvature) + roundingBase)
	return fixed(r<<32 | uint64(uint32(c)))
}

// curvatures is the sum of the curvatures of an entry in units.
func (s *scale) curvatures(e entry) int64 { return int64(e.rest & (s.one - 1)) }

// sums are an entry in numbers.
type sums struct {
	residual, curvature float64
	rows                int
}

func (s *scale) of(e entry) sums {
	return sums{
		float64(float64(e.residual) * s.residual),
		float64(float64(s.curvatures(e)) * s.curvature),
		int(e.rest >> s.shift),
	}
}

// addRows adds rows to at least the columns from to to-1 of a block. words are the
// codes of all rows there are; values are those of the given rows, in their order.
func (b *block) addRows(from, to int, words []uint64, rows []int32, values []entry) {
	addRows(b, from, to, words, rows, values[:len(rows)])
}

// addRowsPlain is addRows in Go: what it does on processors for which there is
// nothing better. This is where the time of boosting goes, so the columns are
// written out: a code fits its array, so that nothing is checked.
func addRowsPlain(b *block, from, to int, words []uint64, rows []int32, values []entry) {
	if from < 4 {
		for k, i := range rows {
			w := words[i]
			v := values[k]
			b[0][uint8(w)].add(v)
			b[1][uint8(w>>8)].add(v)
			b[2][uint8(w>>16)].add(v)
			b[3][uint8(w>>24)].add(v)
		}
	}
	if to > 4 {
		for k, i := range rows {
			w := words[i]
			v := values[k]
			b[4][uint8(w>>32)].add(v)
			b[5][uint8(w>>40)].add(v)
			b[6][uint8(w>>48)].add(v)
			b[7][uint8(w>>56)].add(v)
		}
	}
}
