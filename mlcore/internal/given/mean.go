package given

import "slices"

// Mean is Σwv / Σw of numbers and their weights, nil for equal ones, also where Σwv leaves
// the range of float64. There has to be a number, and Σw has to be finite and not 0.
func Mean(v, w []float64) float64 {
	sum, all := 0.0, 0.0
	for i, x := range v {
		weight := Weight(w, i)
		sum += float64(weight * x)
		all += weight
	}
	if mean := sum / all; mean-mean == 0 {
		return mean
	}
	mean := 0.0
	for i, x := range v {
		mean += float64(Weight(w, i) / all * x)
	}
	// Rounding may take it out of the range of the numbers, and of float64.
	return min(max(mean, slices.Min(v)), slices.Max(v))
}
