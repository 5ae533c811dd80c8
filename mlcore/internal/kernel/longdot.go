package kernel

// strands is how many partial sums [LongDot] has.
const strands = 16

// LongDot returns Σ a[i]·b[i] as [Dot] does but for the order of the sum, which suits
// long vectors: as many whole rounds as there are go to 16 strands, which are added in
// fours, strand l with 4+l, 8+l and 12+l, and then these; what is left of the vectors
// follows one after the other.
func LongDot(a, b []float64) float64 {
	checkLengths(len(a), len(b))
	rounds := len(a) / strands
	sum := 0.0
	if rounds > 0 {
		sum = longDot(a, b, rounds)
	}
	for i := rounds * strands; i < len(a); i++ {
		sum += float64(a[i] * b[i])
	}
	return sum
}

func longDotGo(a, b []float64, rounds int) float64 {
	// Eight strands at a time stay in registers, and a cache line is read once for each.
	first, last := eightStrands(a, b, rounds), eightStrands(a[strands/2:], b[strands/2:], rounds)
	var four [4]float64
	for l := range four {
		four[l] = (first[l] + first[4+l]) + (last[l] + last[4+l])
	}
	return (four[0] + four[1]) + (four[2] + four[3])
}

// eightStrands sums the first eight strands.
func eightStrands(a, b []float64, rounds int) [8]float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	at := 0
	for range rounds {
		x, y := (*[4]float64)(a[at:]), (*[4]float64)(b[at:])
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
		// In fours: the compiler multiplies all up to an access that it checks before it adds,
		// and has no registers for eight products beside eight sums.
		x, y = (*[4]float64)(a[at+4:]), (*[4]float64)(b[at+4:])
		s4 += float64(x[0] * y[0])
		s5 += float64(x[1] * y[1])
		s6 += float64(x[2] * y[2])
		s7 += float64(x[3] * y[3])
		at += strands
	}
	return [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}
