//go:build amd64 && !purego

package histtree

// addRows is addRowsPlain with one 128-bit addition for both halves of an entry,
// which every amd64 processor has and Go does not offer. Rows have to be below
// the length of words, and values as long as rows.
//
//go:noescape
func addRows(b *block, words []uint64, rows []int32, values []fixed, one uint64)
