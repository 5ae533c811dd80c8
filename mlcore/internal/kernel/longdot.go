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
	var s [strands]float64
	for at := 0; at < rounds*strands; at += strands {
		a, b := a[at:][:strands], b[at:][:strands]
		for l, v := range a {
			s[l] += float64(v * b[l])
		}
	}
	var four [4]float64
	for l := range four {
		four[l] = (s[l] + s[4+l]) + (s[8+l] + s[12+l])
	}
	return (four[0] + four[1]) + (four[2] + four[3])
}
