package given

import (
	"reflect"

	"gonum.org/v1/gonum/mat"
)

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

// Blocks returns a function that reads rows lo to hi of X, one after the other, without a
// copy where X is a *mat.Dense without gaps between its rows. Otherwise they are overwritten
// by the next ones, and the function serves one goroutine at a time.
func Blocks(X mat.Matrix) func(lo, hi int) []float64 {
	_, d := X.Dims()
	if dense, ok := X.(*mat.Dense); ok {
		if raw := dense.RawMatrix(); raw.Stride == d {
			return func(lo, hi int) []float64 { return raw.Data[lo*d : hi*d] }
		}
	}
	row := Rows(X)
	var block []float64
	return func(lo, hi int) []float64 {
		block = block[:0]
		for i := lo; i < hi; i++ {
			block = append(block, row(i)...)
		}
		return block
	}
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

// Weighted returns the rows of positive weight, ascending: all n where no weights
// were given.
func Weighted(w []float64, n int) []int {
	rows := make([]int, 0, n)
	for i := range n {
		if Weight(w, i) > 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// Subset returns copies of the given rows of X, at least one, in the given order;
// a row may be repeated.
func Subset(X mat.Matrix, rows []int) *mat.Dense {
	_, d := X.Dims()
	out := mat.NewDense(len(rows), d, nil)
	read := Rows(X)
	for i, r := range rows {
		out.SetRow(i, read(r))
	}
	return out
}

// Pick returns the elements of v at the given places, in the given order; nil for
// nil.
func Pick[T any, I int | int32](v []T, places []I) []T {
	if v == nil {
		return nil
	}
	out := make([]T, len(places))
	for k, i := range places {
		out[k] = v[i]
	}
	return out
}

// Prefix is how an error about a Dataset of this name begins: with the name and a
// colon, or with nothing where it has no name.
func Prefix(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}

// IsNil reports whether a matrix or a model is nil or holds a nil pointer, such as a
// *mat.Dense that was declared and never made, whose methods would panic.
func IsNil(x any) bool {
	if x == nil {
		return true
	}
	if dense, ok := x.(*mat.Dense); ok {
		return dense == nil
	}
	v := reflect.ValueOf(x)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
