package co395

import "gonum.org/v1/gonum/mat"

// EachRow calls a function for each row of X and collects what it returns.
func EachRow(X *mat.Dense, class func(x []float64) int) []int {
	n, _ := X.Dims()
	classes := make([]int, n)
	for i := range classes {
		classes[i] = class(X.RawRowView(i))
	}
	return classes
}
