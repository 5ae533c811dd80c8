package co395

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Sorted returns the values of feature j in ascending order, and the labels in the
// same order of the samples. Equal values keep the order of their rows.
func Sorted(ds *mlcore.Dataset, j int) (x []float64, y []int) {
	values := mat.Col(nil, j, ds.X)
	rows := make([]int, len(values))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	for _, i := range rows {
		x, y = append(x, values[i]), append(y, ds.Y[i])
	}
	return x, y
}

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

// CountsBeside counts the classes of the samples whose value is at most t, and of the
// others.
func CountsBeside(x []float64, y []int, t float64) [][]float64 {
	classes := slices.Max(y) + 1
	counts := [][]float64{make([]float64, classes), make([]float64, classes)}
	for i, c := range y {
		if x[i] <= t {
			counts[0][c]++
		} else {
			counts[1][c]++
		}
	}
	return counts
}
