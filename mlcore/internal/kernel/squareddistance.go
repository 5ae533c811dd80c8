package kernel

// stretch is how many columns [SquaredDistance] adds up before it looks at its limit.
const stretch = 128

// SquaredDistance returns Σ (a[i]-b[i])², summed in four strands as [SumSquares] does. Once
// it is sure to exceed limit it may return any number above limit: sums only grow.
func SquaredDistance(a, b []float64, limit float64) float64 {
	checkLengths(len(a), len(b))
	var s [4]float64
	for len(a) >= stretch {
		addSquaredDifferences(&s, (*[stretch]float64)(a), (*[stretch]float64)(b))
		if sum := (s[0] + s[1]) + (s[2] + s[3]); sum > limit {
			return sum
		}
		a, b = a[stretch:], b[stretch:]
	}
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	j := 0
	for b = b[:len(a)]; j+4 <= len(a); j += 4 {
		d0, d1, d2, d3 := a[j]-b[j], a[j+1]-b[j+1], a[j+2]-b[j+2], a[j+3]-b[j+3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		if j&4 != 0 && (s0+s1)+(s2+s3) > limit {
			return (s0 + s1) + (s2 + s3)
		}
	}
	for ; j < len(a); j++ {
		d := a[j] - b[j]
		s0 += float64(d * d)
	}
	return (s0 + s1) + (s2 + s3)
}

// addSquaredDifferencesGo adds to each strand.
func addSquaredDifferencesGo(s *[4]float64, a, b *[stretch]float64) {
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	for j := 0; j < stretch; j += 4 {
		d0, d1, d2, d3 := a[j]-b[j], a[j+1]-b[j+1], a[j+2]-b[j+2], a[j+3]-b[j+3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	*s = [4]float64{s0, s1, s2, s3}
}
