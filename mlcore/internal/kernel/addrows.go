package kernel

// AddRows adds rows of x, which have d columns, to sums, in the order given: row rows[i] to
// the d numbers from sums[groups[i]*step] on. All these have to exist: it is not checked.
func AddRows(sums []float64, step int, x []float64, d int, rows, groups []int32) {
	if len(rows) == 0 || d == 0 {
		return
	}
	if addRowsFast(sums, step, x, d, rows, groups) {
		return
	}
	for i, r := range rows {
		row := x[int(r)*d:][:d]
		own := sums[int(groups[i])*step:][:len(row)]
		for ; len(row) >= 4 && len(own) >= 4; row, own = row[4:], own[4:] {
			own[0] += row[0]
			own[1] += row[1]
			own[2] += row[2]
			own[3] += row[3]
		}
		for j, v := range row {
			own[j] += v
		}
	}
}
