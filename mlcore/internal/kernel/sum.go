package kernel

import "math"

// SumSquares returns Σ x², summed in four strands, elements 0, 4, 8 …, 1, 5, 9 …
// and so on, which are added in the end: a chain of additions for each instead of
// one that every term waits for.
func SumSquares(x []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		s0 += float64(x[0] * x[0])
		s1 += float64(x[1] * x[1])
		s2 += float64(x[2] * x[2])
		s3 += float64(x[3] * x[3])
	}
	for _, v := range x {
		s0 += float64(v * v)
	}
	return (s0 + s1) + (s2 + s3)
}

// Dot returns Σ a[i]·b[i], summed in four strands as [SumSquares] does.
func Dot(a, b []float64) float64 {
	checkLengths(len(a), len(b))
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

// Norm returns the Euclidean length of x, of which the squares have to be finite.
func Norm(x []float64) float64 { return math.Sqrt(SumSquares(x)) }

// MaxAbs returns the greatest absolute value in x, 0 if there is none, NaN if there is a
// NaN. Without their signs, numbers are in the same order as their bits.
func MaxAbs(x []float64) float64 {
	const sign = 1 << 63
	var m0, m1, m2, m3 uint64
	for ; len(x) >= 4; x = x[4:] {
		m0 = max(m0, math.Float64bits(x[0])&^sign)
		m1 = max(m1, math.Float64bits(x[1])&^sign)
		m2 = max(m2, math.Float64bits(x[2])&^sign)
		m3 = max(m3, math.Float64bits(x[3])&^sign)
	}
	for _, v := range x {
		m0 = max(m0, math.Float64bits(v)&^sign)
	}
	return math.Float64frombits(max(m0, m1, m2, m3))
}
