//go:build !amd64 || purego

package cart

func moveLeft(rows []item, codes []uint8, last uint8) int { return moveLeftPlain(rows, codes, last) }

func countLeft(rows []item, codes []uint8, last uint8, left *[countedClasses]int32) int {
	return countLeftPlain(rows, codes, last, left)
}
