//go:build (amd64 || arm64) && !purego

package kernel

// addRows is AddRows of n > 0 rows and d > 0 columns.
//
//go:noescape
func addRows(sums *float64, step int, x *float64, d int, rows *int32, n int, groups *int32)

func addRowsFast(sums []float64, step int, x []float64, d int, rows, groups []int32) bool {
	if useVectors {
		addRows(&sums[0], step, &x[0], d, &rows[0], len(rows), &groups[0])
	}
	return useVectors
}
