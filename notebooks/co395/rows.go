package co395

import "gonum.org/v1/gonum/mat"

// Rows is a new matrix of the given rows of X, in the given order.
func Rows(X *mat.Dense, rows ...int) *mat.Dense {
	_, d := X.Dims()
	taken := mat.NewDense(len(rows), d, nil)
	for i, row := range rows {
		taken.SetRow(i, X.RawRowView(row))
	}
	return taken
}

// Column is x as a matrix of one column.
func Column(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }
