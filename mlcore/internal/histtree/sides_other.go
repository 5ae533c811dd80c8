//go:build !amd64 || purego

package histtree

func sides(lefts, rights, rows []int32, codes []uint8, goesRight *[256]uint8) int {
	return sidesPlain(lefts, rights, rows, codes, goesRight)
}
