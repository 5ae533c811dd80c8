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

// roundingBits are the bits of roundingBase; the lowest 32 of them are 0.
const roundingBits = 0x4338000000000000

// A fixing turns pulls into entries: each half is multiplied by the reciprocal of its
// unit and rounded by adding roundingBase. What then stands above the base is the whole
// number, of a curvature in the lowest 32 bits. histogram_amd64.s reads it.
type fixing struct {
	per  [2]float64
	base [2]float64
	mask [2]uint64
	row  entry // one row
}

func (s *scale) fixing() fixing {
	return fixing{
		per: [2]float64{1 / s.residual, 1 / s.curvature}, base: [2]float64{roundingBase, roundingBase},
		mask: [2]uint64{math.MaxUint64, math.MaxUint32}, row: entry{rest: s.one},
	}
}

// entry is what a row of this pull adds to a sum.
func (f *fixing) entry(p Pull) entry {
	r := math.Float64bits(float64(float64(p.Residual)*f.per[0]) + roundingBase)
	c := math.Float64bits(float64(float64(p.Curvature)*f.per[1]) + roundingBase)
	return entry{int64(r - roundingBits), uint64(uint32(c)) + f.row.rest}
}

// entries are those of the given rows.
func (f *fixing) entries(dst []entry, pulls []Pull, rows []int32) {
	dst, own := dst[:len(rows)], *f
	for k, i := range rows {
		dst[k] = own.entry(pulls[i])
	}
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

// pieceRows is how many rows are summed up at a time in Go: their codes and values stay in the
// nearest cache.
const pieceRows = 256

// addRowsByFours is addRows, four columns at a time: what it does on processors for which
// there is nothing better.
func addRowsByFours(b *block, from, to int, words []uint64, rows []int32, values []entry) {
	var room [pieceRows]uint64
	for len(rows) > 0 {
		n := min(len(rows), pieceRows)
		own := room[:n]
		pick(own, words, rows[:n])
		if from < blockWidth/2 {
			addFour((*half)(b[:]), own, 0, values[:n])
		}
		if to > blockWidth/2 {
			addFour((*half)(b[blockWidth/2:]), own, 32, values[:n])
		}
		rows, values = rows[n:], values[n:]
	}
}

// pick copies the words of the given rows. A loop that does nothing else waits for many of
// them at a time, where they are not in a cache.
func pick(dst, words []uint64, rows []int32) {
	dst = dst[:len(rows)]
	for k, i := range rows {
		dst[k] = words[i]
	}
}

// A half is four columns of a block: as many as the nearest cache holds.
type half [blockWidth / 2][blockBins]entry

// addFourPlain is addFour in Go: it adds the values to four columns, whose codes start at a bit
// of the words. This is where the time of boosting goes, so the columns are written out: a code fits its
// array, so that nothing is checked.
func addFourPlain(h *half, words []uint64, bit uint, values []entry) {
	values = values[:len(words)]
	for k, w := range words {
		w >>= bit & 63
		v := values[k]
		h[0][uint8(w)].add(v)
		w >>= 8
		h[1][uint8(w)].add(v)
		w >>= 8
		h[2][uint8(w)].add(v)
		w >>= 8
		h[3][uint8(w)].add(v)
	}
}

// addPulls is addRows of the entries of the pulls, of which there are as many as words:
// values that nobody has put in the order of the rows before.
func (b *block) addPulls(from, to int, words []uint64, rows []int32, pulls []Pull, f *fixing) {
	addPulls(b, from, to, words, rows, pulls[:len(words)], f)
}

// addPullsByFours is addPulls, four columns at a time.
func addPullsByFours(b *block, from, to int, words []uint64, rows []int32, pulls []Pull, f *fixing) {
	var values [pieceRows]entry
	for len(rows) > 0 {
		n := min(len(rows), pieceRows)
		f.entries(values[:n], pulls, rows[:n])
		addRowsByFours(b, from, to, words, rows[:n], values[:n])
		rows = rows[n:]
	}
}
