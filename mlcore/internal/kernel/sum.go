package kernel

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
