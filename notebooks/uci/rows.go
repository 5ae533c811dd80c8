package uci

import "github.com/mllabs-go/mllabs/mlcore"

// AllRows lists the numbers of the rows of ds.
func AllRows(ds *mlcore.Dataset) []int {
	rows := make([]int, ds.Len())
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// EqualWeights are n weights that are the same and add up to 1.
func EqualWeights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	return w
}

// Tally adds up the weights of some rows of ds by class; w has a weight for each row of ds.
func Tally(ds *mlcore.Dataset, rows []int, w []float64) []float64 {
	sums := make([]float64, ds.NumClasses())
	for _, i := range rows {
		sums[ds.Y[i]] += w[i]
	}
	return sums
}

// Branches sorts some rows of ds by their value of attribute a, which is a category.
func Branches(ds *mlcore.Dataset, rows []int, a int) [][]int {
	out := make([][]int, ds.Levels()[a])
	for _, i := range rows {
		v := int(ds.X.At(i, a))
		out[v] = append(out[v], i)
	}
	return out
}

// PredictAll applies a rule to every row of ds.
func PredictAll(ds *mlcore.Dataset, rule func(ds *mlcore.Dataset, i int) int) []int {
	y := make([]int, ds.Len())
	for i := range y {
		y[i] = rule(ds, i)
	}
	return y
}
