//go:build amd64 && !purego

package histtree

// addRows8 is addRowsPlain with one 128-bit addition for both halves of an entry,
// which every amd64 processor has and Go does not offer. Rows have to be below
// the length of words, and values as long as rows.
//
//go:noescape
func addRows8(b *block, words []uint64, rows []int32, values []fixed, one uint64)

// addRows4 is addRows8 for the first four columns.
//
//go:noescape
func addRows4(b *block, words []uint64, rows []int32, values []fixed, one uint64)

func addRows(b *block, columns int, words []uint64, rows []int32, values []fixed, one uint64) {
	if columns <= 4 {
		addRows4(b, words, rows, values, one)
	} else {
		addRows8(b, words, rows, values, one)
	}
}
