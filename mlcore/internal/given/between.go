package given

import "math"

// Between is a + share (b-a) of a <= b, also where their difference overflows.
func Between(a, b, share float64) float64 {
	if math.IsInf(b-a, 0) {
		return float64((1-share)*a) + float64(share*b)
	}
	return a + float64(share*(b-a))
}
