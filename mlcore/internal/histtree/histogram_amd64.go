//go:build !purego

package histtree

import "github.com/mllabs-go/mllabs/mlcore/internal/processor"

// useVectors says that the processor has what the fast sums are written in.
var useVectors = processor.Bits

// fastPulls says whether addPulls takes no longer than addRows.
var fastPulls = useVectors

// addRows8 is addRowsByFours with one 128-bit addition for both halves of an entry,
// which Go does not offer. Rows have to be below the length of words, and values
// as long as rows.
//
//go:noescape
func addRows8(b *block, words []uint64, rows []int32, values []entry)

// addRows4 is addRows8 for the first four columns.
//
//go:noescape
func addRows4(b *block, words []uint64, rows []int32, values []entry)

// addRowsLast4 is addRows8 for the last four columns.
//
//go:noescape
func addRowsLast4(b *block, words []uint64, rows []int32, values []entry)

func addRows(b *block, from, to int, words []uint64, rows []int32, values []entry) {
	switch {
	case !useVectors:
		addRowsByFours(b, from, to, words, rows, values)
	case to <= 4:
		addRows4(b, words, rows, values)
	case from >= 4:
		addRowsLast4(b, words, rows, values)
	default:
		addRows8(b, words, rows, values)
	}
}

// addPulls8 is addPullsByFours; addPulls4 and addPullsLast4 are it for the first and the
// last four columns. Rows have to be below the lengths of words and pulls.
//
//go:noescape
func addPulls8(b *block, words []uint64, rows []int32, pulls []Pull, f *fixing)

//go:noescape
func addPulls4(b *block, words []uint64, rows []int32, pulls []Pull, f *fixing)

//go:noescape
func addPullsLast4(b *block, words []uint64, rows []int32, pulls []Pull, f *fixing)

func addPulls(b *block, from, to int, words []uint64, rows []int32, pulls []Pull, f *fixing) {
	switch {
	case !useVectors:
		addPullsByFours(b, from, to, words, rows, pulls, f)
	case to <= 4:
		addPulls4(b, words, rows, pulls, f)
	case from >= 4:
		addPullsLast4(b, words, rows, pulls, f)
	default:
		addPulls8(b, words, rows, pulls, f)
	}
}

// glanceFours is passes for each of the first n bins, a multiple of four.
//
//go:noescape
func glanceFours(bins *entry, n int, left *entry, look *glance) int

// subtractEntries takes n entries b off a.
//
//go:noescape
func subtractEntries(a, b *entry, n int)

// nextOfFours is next for as many bins as are whole fours; hit says that it found one.
func (g *glance) nextOfFours(bins []entry, left *entry) (done int, hit bool) {
	n := len(bins) &^ 3
	if !useVectors || n == 0 {
		return 0, false
	}
	done = glanceFours(&bins[0], n, left, g)
	return done, done < n
}

func subtractAll(a, b []entry) {
	if !useVectors || len(a) == 0 {
		subtractAllPlain(a, b)
		return
	}
	subtractEntries(&a[0], &b[:len(a)][0], len(a))
}

// addFour is for processors without vectors here.
func addFour(h *half, words []uint64, bit uint, values []entry) { addFourPlain(h, words, bit, values) }
