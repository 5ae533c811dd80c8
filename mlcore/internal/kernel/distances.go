package kernel

import "math"

// The functions here hold one row x against many points, which lie side by side in the
// columns of a matrix, with a row for each coordinate. Each sum is made from the first
// coordinate to the last.

// SquaredDistances sets dst[t] to the square of the Euclidean distance between x and column
// first+t of points: the sum of the squared differences. It panics if the shapes disagree.
func SquaredDistances(dst, x []float64, points Matrix, first int) {
	hold(dst, x, points, first, squaredDistancesHead, squaredDistancesPlain)
}

// ManhattanDistances sums absolute differences as [SquaredDistances] does squared ones.
func ManhattanDistances(dst, x []float64, points Matrix, first int) {
	hold(dst, x, points, first, manhattanDistancesHead, manhattanDistancesPlain)
}

// ChebyshevDistances takes the greatest of the absolute differences that
// [ManhattanDistances] sums. Where one of them is NaN, as that of two infinities is, the result
// depends on the processor.
func ChebyshevDistances(dst, x []float64, points Matrix, first int) {
	hold(dst, x, points, first, chebyshevDistancesHead, chebyshevDistancesPlain)
}

// Dots sums products as [SquaredDistances] does squared differences.
func Dots(dst, x []float64, points Matrix, first int) {
	hold(dst, x, points, first, dotsHead, dotsPlain)
}

// hold checks the shapes and lets the assembly do the first points and plain Go the rest.
// Both get coordinates from the first one of their first point on; those of the next
// coordinate come step elements later.
func hold(dst, x []float64, points Matrix, first int, head func(dst, x, at []float64, step int) int, plain func(dst, x, at []float64, step int)) {
	if points.Rows != len(x) || first < 0 || first+len(dst) > points.Cols {
		panic("kernel: a row and points of shapes that disagree")
	}
	if len(dst) == 0 || len(x) == 0 {
		clear(dst) // between points without coordinates
		return
	}
	at := points.Data[min(first, len(points.Data)):]
	t := head(dst, x, at, points.Cols)
	plain(dst[t:], x, at[min(t, len(at)):], points.Cols)
}

// squaredDistancesPlain takes four coordinates at a time: a sum stays in its register for
// these, and nothing is checked on the way.
func squaredDistancesPlain(dst, x, at []float64, step int) {
	n := len(dst)
	clear(dst)
	for ; len(x) >= 4 && n > 0; x = x[4:] {
		y0, y1, y2, y3 := at[:n], at[step:][:n], at[2*step:][:n], at[3*step:][:n]
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		for t, sum := range dst {
			d0, d1, d2, d3 := y0[t]-x0, y1[t]-x1, y2[t]-x2, y3[t]-x3
			sum += float64(d0 * d0)
			sum += float64(d1 * d1)
			sum += float64(d2 * d2)
			sum += float64(d3 * d3)
			dst[t] = sum
		}
		at = at[min(4*step, len(at)):]
	}
	for ; len(x) > 0 && n > 0; x = x[1:] {
		for t, y := range at[:n] {
			d := y - x[0]
			dst[t] += float64(d * d)
		}
		at = at[min(step, len(at)):]
	}
}

// manhattanDistancesPlain goes about it as squaredDistancesPlain does.
func manhattanDistancesPlain(dst, x, at []float64, step int) {
	n := len(dst)
	clear(dst)
	for ; len(x) >= 4 && n > 0; x = x[4:] {
		y0, y1, y2, y3 := at[:n], at[step:][:n], at[2*step:][:n], at[3*step:][:n]
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		for t, sum := range dst {
			sum += math.Abs(y0[t] - x0)
			sum += math.Abs(y1[t] - x1)
			sum += math.Abs(y2[t] - x2)
			sum += math.Abs(y3[t] - x3)
			dst[t] = sum
		}
		at = at[min(4*step, len(at)):]
	}
	for ; len(x) > 0 && n > 0; x = x[1:] {
		for t, y := range at[:n] {
			dst[t] += math.Abs(y - x[0])
		}
		at = at[min(step, len(at)):]
	}
}

// chebyshevDistancesPlain goes about it as squaredDistancesPlain does.
func chebyshevDistancesPlain(dst, x, at []float64, step int) {
	n := len(dst)
	clear(dst)
	for ; len(x) >= 4 && n > 0; x = x[4:] {
		y0, y1, y2, y3 := at[:n], at[step:][:n], at[2*step:][:n], at[3*step:][:n]
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		for t, sum := range dst {
			sum = max(sum, math.Abs(y0[t]-x0))
			sum = max(sum, math.Abs(y1[t]-x1))
			sum = max(sum, math.Abs(y2[t]-x2))
			sum = max(sum, math.Abs(y3[t]-x3))
			dst[t] = sum
		}
		at = at[min(4*step, len(at)):]
	}
	for ; len(x) > 0 && n > 0; x = x[1:] {
		for t, y := range at[:n] {
			dst[t] = max(dst[t], math.Abs(y-x[0]))
		}
		at = at[min(step, len(at)):]
	}
}

// dotsPlain goes about it as squaredDistancesPlain does.
func dotsPlain(dst, x, at []float64, step int) {
	n := len(dst)
	clear(dst)
	for ; len(x) >= 4 && n > 0; x = x[4:] {
		y0, y1, y2, y3 := at[:n], at[step:][:n], at[2*step:][:n], at[3*step:][:n]
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		for t, sum := range dst {
			sum += float64(x0 * y0[t])
			sum += float64(x1 * y1[t])
			sum += float64(x2 * y2[t])
			sum += float64(x3 * y3[t])
			dst[t] = sum
		}
		at = at[min(4*step, len(at)):]
	}
	for ; len(x) > 0 && n > 0; x = x[1:] {
		for t, y := range at[:n] {
			dst[t] += float64(x[0] * y)
		}
		at = at[min(step, len(at)):]
	}
}

// DividedDistances is SquaredDistances with each squared difference divided, by the
// element of divisors in the same place. It does as many points as points and divisors
// have columns.
func DividedDistances(dst, x []float64, points, divisors Matrix) {
	if points.Rows != len(x) || points.Cols != len(dst) || divisors.Rows != len(x) || divisors.Cols != len(dst) {
		panic("kernel: DividedDistances of shapes that disagree")
	}
	for t := dividedDistancesHead(dst, x, points.Data, divisors.Data); t < len(dst); t++ {
		sum := 0.0
		for j, v := range x {
			diff := v - points.Data[j*len(dst)+t]
			sum += float64(diff*diff) / divisors.Data[j*len(dst)+t]
		}
		dst[t] = sum
	}
}
