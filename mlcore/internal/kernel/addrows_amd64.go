//go:build !purego

package kernel

// addRowsAVX is AddRows of n > 0 rows and d > 0 columns.
//
//go:noescape
func addRowsAVX(sums *float64, step int, x *float64, d int, rows *int32, n int, groups *int32)

func addRowsFast(sums []float64, step int, x []float64, d int, rows, groups []int32) bool {
	if useAVX2 {
		addRowsAVX(&sums[0], step, &x[0], d, &rows[0], len(rows), &groups[0])
	}
	return useAVX2
}
