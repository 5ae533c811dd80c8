//go:build !amd64 || purego

package cart

func moveMarked(rows []item, marks []uint8, bit int, _ []item) int {
	return moveMarkedPlain(rows, marks, bit)
}
