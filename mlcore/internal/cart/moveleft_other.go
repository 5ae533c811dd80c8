//go:build !amd64 || purego

package cart

func moveLeft(rows []item, codes []uint8, last uint8, left *[countableClasses]int32) int {
	return moveLeftPlain(rows, codes, last, left)
}

func moveMarked(rows []item, marks []uint8, bit int, _ []item) int {
	return moveMarkedPlain(rows, marks, bit)
}
