package given

import "slices"

// leastWeight is the least sum of weights whose products with numbers of 1e-270 and more
// keep their digits.
const leastWeight = 0x1p-100

// Mean is Σwv / Σw of numbers and their weights, nil for equal ones, also where Σwv leaves
// the range of float64, by overflow or, of tiny weights, by underflow. There has to be a
// number, and Σw has to be finite and not 0.
func Mean(v, w []float64) float64 {
	sum, all := 0.0, 0.0
	for i, x := range v {
		weight := Weight(w, i)
		sum += float64(weight * x)
		all += weight
	}
	if mean := sum / all; mean-mean == 0 && all >= leastWeight {
		return mean
	}
	mean := 0.0
	for i, x := range v {
		mean += float64(Weight(w, i) / all * x)
	}
	// Rounding may take it out of the range of the numbers, and of float64.
	return min(max(mean, slices.Min(v)), slices.Max(v))
}
