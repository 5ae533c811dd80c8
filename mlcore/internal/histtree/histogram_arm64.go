//go:build !purego

package histtree

// fastPulls says that addPulls takes no longer than addRows: pulls become entries in Go.
const fastPulls = false

// addFourVectors is addFour with one 128-bit addition for both halves of an entry, which Go
// does not offer. Values have to be as long as words.
//
//go:noescape
func addFourVectors(h *half, words []uint64, bit uint, values []entry)

// subtractEntries takes n > 0 entries b off a.
//
//go:noescape
func subtractEntries(a, b *entry, n int)

func addRows(b *block, from, to int, words []uint64, rows []int32, values []entry) {
	addRowsBy(addFourVectors, b, from, to, words, rows, values)
}

func addPulls(b *block, from, to int, words []uint64, rows []int32, pulls []Pull, f *fixing) {
	addPullsBy(addFourVectors, b, from, to, words, rows, pulls, f)
}

func subtractAll(a, b []entry) {
	if len(a) > 0 {
		subtractEntries(&a[0], &b[:len(a)][0], len(a))
	}
}

func (g *glance) nextOfFours([]entry, *entry) (done int, hit bool) { return 0, false }
