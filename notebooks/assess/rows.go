package assess

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// HoldOut parts a data set: every nth row, from the first, is for testing and the
// others for training. The rows should be in no order that matters.
func HoldOut(ds *mlcore.Dataset, nth int) (train, test *mlcore.Dataset) {
	var in, out []int
	for i := range ds.Len() {
		if i%nth == 0 {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	return ds.Subset(in), ds.Subset(out)
}

// Plane is a data set of n×n points on a grid over the range of the two features of
// ds, to compare predictions everywhere. All its labels are 0.
func Plane(ds *mlcore.Dataset, n int) *mlcore.Dataset {
	steps := func(feature int) []float64 {
		values := mat.Col(nil, feature, ds.X)
		return floats.Span(make([]float64, n), floats.Min(values), floats.Max(values))
	}
	xs, ys := steps(0), steps(1)
	plane := *ds
	plane.X, plane.Y, plane.Weights = mat.NewDense(n*n, 2, nil), make([]int, n*n), nil
	for i := range n * n {
		plane.X.SetRow(i, []float64{xs[i%n], ys[i/n]})
	}
	return &plane
}
