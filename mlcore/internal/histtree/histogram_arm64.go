//go:build !purego

package histtree

// fastPulls says whether addPulls takes no longer than addRows. It does: pulls become entries
// in Go first.
const fastPulls = false

// addFour is addFourPlain with one 128-bit addition for both halves of an entry, which Go
// does not offer. Values have to be as long as words.
//
//go:noescape
func addFour(h *half, words []uint64, bit uint, values []entry)

// subtractEntries takes n > 0 entries b off a.
//
//go:noescape
func subtractEntries(a, b *entry, n int)

func addRows(b *block, from, to int, words []uint64, rows []int32, values []entry) {
	addRowsByFours(b, from, to, words, rows, values)
}

func addPulls(b *block, from, to int, words []uint64, rows []int32, pulls []Pull, f *fixing) {
	addPullsByFours(b, from, to, words, rows, pulls, f)
}

func subtractAll(a, b []entry) {
	if len(a) > 0 {
		subtractEntries(&a[0], &b[:len(a)][0], len(a))
	}
}

func (g *glance) nextOfFours([]entry, *entry) (done int, hit bool) { return 0, false }
