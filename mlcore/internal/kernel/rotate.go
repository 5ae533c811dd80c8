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
	var x [RotateCols]float64
	copy(x[:], data[at:])
	for k := range count {
		c, s := turns[2*k], turns[2*k+1]
		row, next := data[at:][:RotateCols], data[at+step:][:RotateCols]
		for j, y := range next {
			row[j] = float64(c*x[j]) + float64(s*y)
			x[j] = float64(c*y) - float64(s*x[j])
		}
		at += step
	}
	copy(data[at:], x[:])
}
