package kernel

// RotateCols is how many columns [Rotate] works on.
const RotateCols = 16

// Rotate applies plane rotations to neighbouring rows of a matrix of RotateCols columns,
// one after the other: rotation k, with the cosine c and the sine s that are turns[2k] and
// turns[2k+1], makes of x, which is row first to begin with, and of the next row y
//
//	c x + s y,  which stays in the row of x, and  c y - s x,  which is the next x
//
// and the last of these ends in the last row. With down the next row is the one below, otherwise
// the one above.
func Rotate(data []float64, first int, turns []float64, down bool) {
	count := len(turns) / 2
	if count == 0 {
		return
	}
	step := -RotateCols
	if down {
		step = RotateCols
	}
	at := first * RotateCols
	end := at + count*step // that it is in data, and where the rows begin
	_, _ = data[at+RotateCols-1], data[end:end+RotateCols]
	if rotateFast(data, at, step, turns[:2*count]) {
		return
	}
	for j := 0; j < RotateCols; j += 4 {
		rotateFour(data, at+j, step, turns)
	}
}

// rotateFour is Rotate of four columns, whose x stay in registers.
func rotateFour(data []float64, at, step int, turns []float64) {
	x := (*[4]float64)(data[at:])
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	for ; len(turns) >= 2; turns = turns[2:] {
		c, s := turns[0], turns[1]
		row, y := (*[4]float64)(data[at:]), (*[4]float64)(data[at+step:])
		y0, y1, y2, y3 := y[0], y[1], y[2], y[3]
		row[0], x0 = float64(c*x0)+float64(s*y0), float64(c*y0)-float64(s*x0)
		row[1], x1 = float64(c*x1)+float64(s*y1), float64(c*y1)-float64(s*x1)
		row[2], x2 = float64(c*x2)+float64(s*y2), float64(c*y2)-float64(s*x2)
		row[3], x3 = float64(c*x3)+float64(s*y3), float64(c*y3)-float64(s*x3)
		at += step
	}
	x = (*[4]float64)(data[at:])
	x[0], x[1], x[2], x[3] = x0, x1, x2, x3
}
