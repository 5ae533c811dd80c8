//go:build amd64 && !purego

package histtree

import "golang.org/x/sys/cpu"

// useVectors says that the processor has what the fast sums are written in.
var useVectors = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

// addRows8 is addRowsPlain with one 128-bit addition for both halves of an entry,
// which Go does not offer. Rows have to be below the length of words, and values
// as long as rows.
//
//go:noescape
func addRows8(b *block, words []uint64, rows []int32, values []fixed, one uint64)

// addRows4 is addRows8 for the first four columns.
//
//go:noescape
func addRows4(b *block, words []uint64, rows []int32, values []fixed, one uint64)

func addRows(b *block, columns int, words []uint64, rows []int32, values []fixed, one uint64) {
	switch {
	case !useVectors:
		addRowsPlain(b, words, rows, values, one)
	case columns <= 4:
		addRows4(b, words, rows, values, one)
	default:
		addRows8(b, words, rows, values, one)
	}
}
