package lab3

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Partition returns the rows of X whose feature is less than the threshold, and
// those where it is greater or equal, both in ascending order.
func Partition(X *mat.Dense, feature int, thresh float64) (below, above []int) {
	n, _ := X.Dims()
	for i := range n {
		if X.At(i, feature) < thresh {
			below = append(below, i)
		} else {
			above = append(above, i)
		}
	}
	return below, above
}

// Thresholds returns the values of one feature, each once, in ascending order: all the
// thresholds that part the rows in different ways.
func Thresholds(X *mat.Dense, feature int) []float64 {
	all := mat.Col(nil, feature, X)
	slices.Sort(all)
	return slices.Compact(all)
}

// NeedLabels panics with a sentence unless y has one label for each row of X, as
// the hand-out's functions assert.
func NeedLabels(X *mat.Dense, y []int) {
	if n, _ := X.Dims(); n != len(y) {
		panic(fmt.Errorf("%d rows of features have %d labels; give each row one label", n, len(y)))
	}
}

// NeedFeatures panics with a sentence unless both matrices have the same number of
// columns, as the hand-out's function for nearest neighbours asserts.
func NeedFeatures(trainX, testX *mat.Dense) {
	_, a := trainX.Dims()
	if _, b := testX.Dims(); a != b {
		panic(fmt.Errorf("the training rows have %d features and the test rows %d; use the same features for both", a, b))
	}
}

// Pick returns the elements of values at the given rows, in their order; nil for
// nil, such as weights that are not given.
func Pick[T any](values []T, rows []int) []T {
	if values == nil {
		return nil
	}
	picked := make([]T, len(rows))
	for i, r := range rows {
		picked[i] = values[r]
	}
	return picked
}

// PickRows returns a matrix of the given rows of X, in their order. There has to
// be one at least.
func PickRows(X *mat.Dense, rows []int) *mat.Dense {
	_, d := X.Dims()
	picked := mat.NewDense(len(rows), d, nil)
	for i, r := range rows {
		picked.SetRow(i, X.RawRowView(r))
	}
	return picked
}

// Column returns a matrix of one feature.
func Column(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

// EachRow returns f of each row of X, such as the class that a student's function
// gives to one sample.
func EachRow(X *mat.Dense, f func(x []float64) int) []int {
	n, _ := X.Dims()
	values := make([]int, n)
	for i := range values {
		values[i] = f(X.RawRowView(i))
	}
	return values
}

// SortedRows returns the row numbers of values in ascending order of the values.
// Rows of equal value keep their order.
func SortedRows(values []float64) []int {
	rows := make([]int, len(values))
	floats.ArgsortStable(slices.Clone(values), rows)
	return rows
}
