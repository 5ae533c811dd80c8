//go:build (!amd64 && !arm64) || purego

package histtree

// fastPulls says whether addPulls takes no longer than addRows.
const fastPulls = false

func addRows(b *block, from, to int, words []uint64, rows []int32, values []entry) {
	addRowsByFours(b, from, to, words, rows, values)
}

func addPulls(b *block, from, to int, words []uint64, rows []int32, pulls []Pull, f *fixing) {
	addPullsByFours(b, from, to, words, rows, pulls, f)
}

func (g *glance) nextOfFours([]entry, *entry) (done int, hit bool) { return 0, false }

func subtractAll(a, b []entry) { subtractAllPlain(a, b) }

func addFour(h *half, words []uint64, bit uint, values []entry) { addFourPlain(h, words, bit, values) }
