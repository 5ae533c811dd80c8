package sigtest

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// The tails are taken from the incomplete beta and gamma functions directly:
// 1 - CDF would lose small p-values.

// normalUpper returns P(Z > z).
func normalUpper(z float64) float64 { return float64(math.Erfc(z/math.Sqrt2) / 2) }

// normalQuantileOfLevel returns the z with P(|Z| < z) = level.
func normalQuantileOfLevel(level float64) float64 {
	return -distuv.UnitNormal.Quantile((1 - level) / 2)
}

// studentTails returns P(T <= t) and P(T >= t) with df degrees of freedom.
func studentTails(t, df float64) (lower, upper float64) {
	half := float64(mathext.RegIncBeta(df/2, 0.5, df/(df+float64(t*t))) / 2)
	if t >= 0 {
		return 1 - half, half
	}
	return half, 1 - half
}

// fUpper returns P(F >= f) with d1 and d2 degrees of freedom.
func fUpper(f, d1, d2 float64) float64 {
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+float64(d1*f)))
}

// chiSquaredUpper returns P(X >= x) with df degrees of freedom.
func chiSquaredUpper(x, df float64) float64 {
	return mathext.GammaIncRegComp(df/2, x/2)
}

// fairTails returns P(X <= k) and P(X >= k) for heads X in n throws of a fair coin.
func fairTails(k, n int) (lower, upper float64) {
	below := func(k int) float64 {
		if k >= n {
			return 1
		}
		return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
	}
	return below(k), below(n - k)
}

// root returns where the increasing f crosses 0 between lo and hi.
func root(lo, hi float64, f func(x float64) float64) float64 {
	for {
		mid := lo + float64((hi-lo)/2)
		if mid <= lo || mid >= hi {
			return mid
		}
		if f(mid) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
}
