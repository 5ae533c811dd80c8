package kernel

import "golang.org/x/sys/cpu"

// useAVX2 chooses the assembly. Tests turn it off to compare.
var useAVX2 = cpu.X86.HasAVX2

// Implemented in kernels_amd64.s. n is a positive multiple of lanes, terms is
// positive, steps are in elements.

//go:noescape
func mulAddTileAVX(c *float64, cStep int, a *float64, rowStep, sumStep int, b *float64, bStep, terms int)

//go:noescape
func addScaledAVX(y *float64, a float64, x *float64, n int)

//go:noescape
func squaredDistancesAVX(dst *float64, n int, x *float64, d int, columns *float64, step int)

//go:noescape
func reluAVX(x *float64, n int)

//go:noescape
func reluBackwardAVX(d, a *float64, n int)

//go:noescape
func adamAVX(p, m, v, grad *float64, n int, r *AdamRates)

//go:noescape
func expAVX(x *float64, n int, terms *float64)

//go:noescape
func finiteAVX(x *float64, n int) bool

//go:noescape
func subtractRowsAVX(dst *float64, dstStep int, src *float64, srcStep, rows int, mean *float64, n int)

func mulAddTile(c []float64, cStep int, a factor, b []float64, bStep, terms int) {
	if !useAVX2 {
		mulAddTileGo(c, cStep, a, b, bStep, terms)
		return
	}
	// The last elements that the assembly touches, checked here once.
	_ = c[(tileRows-1)*cStep+tileCols-1]
	_ = a.data[(tileRows-1)*a.rowStep+(terms-1)*a.sumStep]
	_ = b[(terms-1)*bStep+tileCols-1]
	mulAddTileAVX(&c[0], cStep, &a.data[0], a.rowStep, a.sumStep, &b[0], bStep, terms)
}

// head is the number of elements of n that the assembly does.
func head(n int) int {
	if !useAVX2 {
		return 0
	}
	return n &^ (lanes - 1)
}

func addScaledHead(y []float64, a float64, x []float64) int {
	n := head(len(y))
	if n > 0 {
		addScaledAVX(&y[0], a, &x[0], n)
	}
	return n
}

func squaredDistancesHead(dst, x, columns []float64, step int) int {
	n := head(len(dst))
	if n == 0 || len(x) == 0 {
		return 0
	}
	_ = columns[(len(x)-1)*step+n-1]
	squaredDistancesAVX(&dst[0], n, &x[0], len(x), &columns[0], step)
	return n
}

func reluHead(x []float64) int {
	n := head(len(x))
	if n > 0 {
		reluAVX(&x[0], n)
	}
	return n
}

func reluBackwardHead(d, a []float64) int {
	n := head(len(d))
	if n > 0 {
		reluBackwardAVX(&d[0], &a[0], n)
	}
	return n
}

func adamHead(p, m, v, g []float64, r *AdamRates) int {
	n := head(len(p))
	if n > 0 {
		adamAVX(&p[0], &m[0], &v[0], &g[0], n, r)
	}
	return n
}

func expHead(x []float64) int {
	n := head(len(x))
	if n > 0 {
		expAVX(&x[0], n, &expTerms[0])
	}
	return n
}

// finiteHead also tells whether the elements that the assembly did are finite.
func finiteHead(x []float64) (n int, finite bool) {
	if n = head(len(x)); n > 0 {
		return n, finiteAVX(&x[0], n)
	}
	return 0, true
}

// subtractRowsHead does the first columns of all rows.
func subtractRowsHead(dst []float64, dstStep int, src []float64, srcStep, rows int, mean []float64) int {
	n := head(len(mean))
	if n == 0 || rows == 0 {
		return 0
	}
	_, _ = dst[(rows-1)*dstStep+n-1], src[(rows-1)*srcStep+n-1]
	subtractRowsAVX(&dst[0], dstStep, &src[0], srcStep, rows, &mean[0], n)
	return n
}
