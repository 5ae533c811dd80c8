//go:build (amd64 || arm64) && !purego

package kernel

// Implemented in the assembly of either processor. n is a positive multiple of lanes, d and
// rows are positive, steps are in elements.

//go:noescape
func argMax(x *float64, n int) (at, nan int)

//go:noescape
func addScaled(y *float64, a float64, x *float64, n int)

//go:noescape
func scale(x *float64, n int, a float64)

//go:noescape
func shift(x *float64, n int, a float64)

//go:noescape
func divide(x *float64, n int, a float64)

//go:noescape
func squaredDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)

//go:noescape
func manhattanDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)

//go:noescape
func chebyshevDistances(dst *float64, n int, x *float64, d int, columns *float64, step int)

//go:noescape
func dots(dst *float64, n int, x *float64, d int, columns *float64, step int)

//go:noescape
func dividedDistances(dst *float64, n int, x *float64, d int, columns, divisors *float64, step int)

//go:noescape
func relu(x *float64, n int)

//go:noescape
func reluBackward(d, a *float64, n int)

//go:noescape
func adam(p, m, v, grad *float64, n int, r *AdamRates)

//go:noescape
func subtractRows(dst *float64, dstStep int, src *float64, srcStep, rows int, mean *float64, n int)

// head is the number of elements of n that the assembly does.
func head(n int) int {
	if !useVectors {
		return 0
	}
	return n &^ (lanes - 1)
}

// Padded returns n, or the number of elements above it that the assembly does whole.
func Padded(n int) int {
	if !useVectors {
		return n
	}
	return (n + lanes - 1) &^ (lanes - 1)
}

// argMaxHead is the place of the greatest of the first n elements, 0 and no elements
// where one of them is NaN.
func argMaxHead(x []float64) (at, n int) {
	if n = head(len(x)); n == 0 {
		return 0, 0
	}
	at, nan := argMax(&x[0], n)
	if nan != 0 {
		return 0, 0
	}
	return at, n
}

func addScaledHead(y []float64, a float64, x []float64) int {
	n := head(len(y))
	if n > 0 {
		addScaled(&y[0], a, &x[0], n)
	}
	return n
}

func scaleHead(x []float64, a float64) int {
	n := head(len(x))
	if n > 0 {
		scale(&x[0], n, a)
	}
	return n
}

func shiftHead(x []float64, a float64) int {
	n := head(len(x))
	if n > 0 {
		shift(&x[0], n, a)
	}
	return n
}

func divideHead(x []float64, a float64) int {
	n := head(len(x))
	if n > 0 {
		divide(&x[0], n, a)
	}
	return n
}

func squaredDistancesHead(dst, x, columns []float64, step int) int {
	n := columnsHead(dst, x, columns, step)
	if n > 0 {
		squaredDistances(&dst[0], n, &x[0], len(x), &columns[0], step)
	}
	return n
}

func manhattanDistancesHead(dst, x, columns []float64, step int) int {
	n := columnsHead(dst, x, columns, step)
	if n > 0 {
		manhattanDistances(&dst[0], n, &x[0], len(x), &columns[0], step)
	}
	return n
}

func chebyshevDistancesHead(dst, x, columns []float64, step int) int {
	n := columnsHead(dst, x, columns, step)
	if n > 0 {
		chebyshevDistances(&dst[0], n, &x[0], len(x), &columns[0], step)
	}
	return n
}

func dotsHead(dst, x, columns []float64, step int) int {
	n := columnsHead(dst, x, columns, step)
	if n > 0 {
		dots(&dst[0], n, &x[0], len(x), &columns[0], step)
	}
	return n
}

// columnsHead returns how many of the points in columns are for the assembly, none where x has
// no coordinates. It panics if columns ends before the last coordinate of the last of them.
func columnsHead(dst, x, columns []float64, step int) int {
	n := head(len(dst))
	if n == 0 || len(x) == 0 {
		return 0
	}
	_ = columns[(len(x)-1)*step+n-1]
	return n
}

func dividedDistancesHead(dst, x, columns, divisors []float64) int {
	n := head(len(dst))
	if n == 0 || len(x) == 0 {
		return 0
	}
	_, _ = columns[(len(x)-1)*len(dst)+n-1], divisors[(len(x)-1)*len(dst)+n-1]
	dividedDistances(&dst[0], n, &x[0], len(x), &columns[0], &divisors[0], len(dst))
	return n
}

func reluHead(x []float64) int {
	n := head(len(x))
	if n > 0 {
		relu(&x[0], n)
	}
	return n
}

func reluBackwardHead(d, a []float64) int {
	n := head(len(d))
	if n > 0 {
		reluBackward(&d[0], &a[0], n)
	}
	return n
}

func adamHead(p, m, v, g []float64, r *AdamRates) int {
	n := head(len(p))
	if n > 0 {
		adam(&p[0], &m[0], &v[0], &g[0], n, r)
	}
	return n
}

// subtractRowsHead does the first columns of all rows.
func subtractRowsHead(dst []float64, dstStep int, src []float64, srcStep, rows int, mean []float64) int {
	n := head(len(mean))
	if n == 0 || rows == 0 {
		return 0
	}
	_, _ = dst[(rows-1)*dstStep+n-1], src[(rows-1)*srcStep+n-1]
	subtractRows(&dst[0], dstStep, &src[0], srcStep, rows, &mean[0], n)
	return n
}
