//go:build amd64 && !purego

package cart

// moveRows is moveLeftPlain for n rows, which are some. The places of items are in
// range since newCounted made them, and are not checked.
//
//go:noescape
func moveRows(rows *item, n int, codes *uint8, last uint8) int

// countRows is countLeftPlain for n rows, which are some.
//
//go:noescape
func countRows(rows *item, n int, codes *uint8, last uint8, left *[countedClasses]int32) int

func moveLeft(rows []item, codes []uint8, last uint8) int {
	return moveRows(&rows[0], len(rows), &codes[0], last)
}

func countLeft(rows []item, codes []uint8, last uint8, left *[countedClasses]int32) int {
	return countRows(&rows[0], len(rows), &codes[0], last, left)
}
