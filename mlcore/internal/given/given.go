package given

import "gonum.org/v1/gonum/mat"

// Rows returns a function that reads row i of X, without a copy where X is a
// *mat.Dense. Otherwise the row is overwritten by the next one, and the function
// serves one goroutine at a time.
func Rows(X mat.Matrix) func(i int) []float64 {
	if d, ok := X.(*mat.Dense); ok {
		return d.RawRowView
	}
	_, d := X.Dims()
	row := make([]float64, d)
	return func(i int) []float64 { return mat.Row(row, i, X) }
}

// Dense returns X itself where it is a *mat.Dense, else a copy.
func Dense(X mat.Matrix) *mat.Dense {
	if d, ok := X.(*mat.Dense); ok {
		return d
	}
	return mat.DenseCopyOf(X)
}

// Weight returns the weight of row i: 1 where no weights were given.
func Weight(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}
