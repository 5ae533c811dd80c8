//go:build !purego

package histtree

// sidesFast is sidesPlain of n rows, which have to be below the number of codes.
//
//go:noescape
func sidesFast(lefts, rights, rows *int32, n int, codes *uint8, goesRight *[256]uint8) int

// sides is sidesPlain without its checks of bounds.
func sides(lefts, rights, rows []int32, codes []uint8, goesRight *[256]uint8) int {
	if len(rows) == 0 {
		return 0
	}
	n := len(rows)
	return sidesFast(&lefts[:n][0], &rights[:n][0], &rows[0], n, &codes[0], goesRight)
}
