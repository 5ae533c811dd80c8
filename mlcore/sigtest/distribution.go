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

// studentQuantile returns the t with P(T >= t) = upper, which is below 1/2.
func studentQuantile(upper, df float64) float64 {
	end := 1.0
	for end < math.MaxFloat64/4 {
		if _, u := studentTails(end, df); u < upper {
			break
		}
		end *= 2
	}
	return root(0, end, func(t float64) float64 { _, u := studentTails(t, df); return upper - u })
}

// fUpper returns P(F >= f) with d1 and d2 degrees of freedom.
func fUpper(f, d1, d2 float64) float64 {
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+float64(d1*f)))
}

// chiSquaredUpper returns P(X >= x) with df degrees of freedom.
func chiSquaredUpper(x, df float64) float64 {
	return mathext.GammaIncRegComp(df/2, x/2)
}

// countable is how many throws are gone through; examples that were counted are fewer.
const countable = 1 << 40

// fairTails returns P(X <= k) and P(X >= k) for heads X in n throws of a fair coin.
func fairTails(k, n int) (lower, upper float64) {
	end := min(k, n-k)
	near, at := 0.0, 0.0 // P(X <= end) and P(X = end)
	if int64(n) > countable {
		// By the normal distribution, with continuity correction.
		above := float64(float64(n)/2) - float64(end) - 0.5
		near = float64(math.Erfc(above/math.Sqrt(float64(n)/2)) / 2)
		at = near - float64(math.Erfc((above+1)/math.Sqrt(float64(n)/2))/2)
	} else {
		// Binomial coefficients from the middle down, in units of the greatest. The continued
		// fraction of the incomplete beta function does not converge there for large n.
		sum, c := 0.0, 1.0
		for i := n / 2; c >= 0x1p-1022; i-- {
			sum += c
			if i == end {
				at = c
			}
			if i <= end {
				near += c
			}
			c *= float64(i) / float64(n-i+1)
		}
		if sum *= 2; n%2 == 0 {
			sum-- // the one in the middle has no twin
		}
		near, at = near/sum, at/sum
	}
	far := 1 - near + at
	if k == end {
		return near, far
	}
	return far, near
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

// rootOfSmooth is root, to the same bits, for an f that is smooth and costly to evaluate, and
// whose rounding errors are well below noise. By the secant method, and by bisection where that
// leads astray, it finds a place on either side of the root where f is farther from 0 than noise,
// so that its sign is sure from there on; root then evaluates f between these places alone.
func rootOfSmooth(lo, hi, noise float64, f func(x float64) float64) float64 {
	const steps = 40
	a, b := lo, hi // up to a and from b on the sign of f is sure
	x, fx := hi, f(hi)
	next := lo + float64((hi-lo)/2)
	for range steps {
		before, fBefore := x, fx
		x, fx = next, f(next)
		slope := math.Abs((fx - fBefore) / (x - before))
		if fx < -noise {
			a = max(a, x)
		}
		if fx > noise {
			b = min(b, x)
		}
		if math.Abs(fx) <= 10*noise {
			// Several times as far as the values of f that may be noise reach, by the slope.
			reach := max((float64(4*noise)+math.Abs(fx))/slope, 0x1p-50*math.Abs(x)) // so that it moves x
			low, high := x-reach, x+reach
			for low > a && f(low) >= -noise {
				low -= float64(4 * (x - low))
			}
			for high < b && f(high) <= noise {
				high += float64(4 * (high - x))
			}
			a, b = max(a, low), min(b, high)
			break
		}
		if next = x - fx/slope; !(next > a && next < b) || math.Abs(fx) > math.Abs(fBefore)/2 {
			next = a + float64((b-a)/2)
		}
	}
	return root(lo, hi, func(x float64) float64 {
		switch {
		case x <= a:
			return -1
		case x >= b:
			return 1
		}
		return f(x)
	})
}
