package co395

import "math/rand/v2"

// DrawFrom draws a place of chances, each with a probability in proportion to what
// stands there. A place with a chance of 0 is never drawn while another has more.
func DrawFrom(chances []float64, rng *rand.Rand) int {
	var sum float64
	for _, c := range chances {
		sum += c
	}
	u, last := float64(rng.Float64()*sum), 0
	for i, c := range chances {
		if c <= 0 {
			continue
		}
		if u < c {
			return i
		}
		u -= c
		last = i
	}
	return last // rounding errors have left a little of u
}

// One is 1 for true and 0 for false, to be counted and averaged.
func One(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
