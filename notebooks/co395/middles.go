package co395

import "slices"

// Middles are the points half-way between neighbouring different values of x, which is
// sorted.
func Middles(x []float64) (middles []float64) {
	for i := 1; i < len(x); i++ {
		if x[i] > x[i-1] {
			middles = append(middles, (x[i-1]+x[i])/2)
		}
	}
	return middles
}

// ClassesAt lists the different classes of the samples whose value is v, in ascending
// order.
func ClassesAt(x []float64, y []int, v float64) (classes []int) {
	for i := range x {
		if x[i] == v {
			classes = append(classes, y[i])
		}
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}
