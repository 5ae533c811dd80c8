//go:build !amd64 || purego

package histtree

func addRows(b *block, _ int, words []uint64, rows []int32, values []fixed, one uint64) {
	addRowsPlain(b, words, rows, values, one)
}
