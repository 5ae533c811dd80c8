package lab3

// NoClass stands for a class that the caller leaves open.
const NoClass = -1

// Vote returns the commonest label, the lowest of them on a tie. A label counts
// as often as its weight says; nil weights are all 1. Without labels the result
// is [NoClass].
func Vote(y []int, weights []float64) int {
	totals := map[int]float64{}
	for i, c := range y {
		if weights == nil {
			totals[c]++
		} else {
			totals[c] += weights[i]
		}
	}
	best := NoClass
	for _, c := range y {
		if best == NoClass || totals[c] > totals[best] || (totals[c] == totals[best] && c < best) {
			best = c
		}
	}
	return best
}
