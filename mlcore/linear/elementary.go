package linear

import "math"

// Sums and functions that give the same bits on every processor: products are
// rounded before they are added (float64(a*b)), which forbids fused
// multiply-adds, and logarithms do not come from package math, whose last bits
// depend on the machine. Exponentials are internal/kernel's.

// dot returns the sum of a[i]·b[i], in four interleaved parts.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// norm is the Euclidean length of v.
func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

// maxAbs returns the greatest absolute value in v, 0 if there is none.
func maxAbs(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

// atanhTerms are 1/(2n+1) for n = 11 down to 0: the series of atanh(s)/s in s².
// For |s| <= 0.172 the next term is below a tenth of a unit in the last place.
var atanhTerms = [...]float64{1. / 23, 1. / 21, 1. / 19, 1. / 17, 1. / 15, 1. / 13, 1. / 11, 1. / 9, 1. / 7, 1. / 5, 1. / 3, 1}

// log1p returns log(1+x) for x >= 0. It writes 1+x = 2^k·m with m between √½ and
// √2; then log m = 2 atanh((m-1)/(m+1)).
func log1p(x float64) float64 {
	s, k := 0.0, 0.0
	if x < math.Sqrt2-1 {
		s = x / (2 + x)
	} else {
		m, e := math.Frexp(1 + x)
		if m < math.Sqrt2/2 {
			m, e = 2*m, e-1
		}
		s, k = (m-1)/(m+1), float64(e)
	}
	s2, p := float64(s*s), atanhTerms[0]
	for _, c := range atanhTerms[1:] {
		p = float64(p*s2) + c
	}
	return float64(k*math.Ln2) + float64(2*float64(s*p))
}
