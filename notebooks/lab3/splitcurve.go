package lab3

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// Thresholds returns the values of one feature, each once, in ascending order: all the
// thresholds that part the rows in different ways.
func Thresholds(X *mat.Dense, feature int) []float64 {
	all := mat.Col(nil, feature, X)
	slices.Sort(all)
	return slices.Compact(all)
}

// LossCurve is the loss of a split against its threshold, at all [Thresholds] of one
// feature, as steps, with a mark at each threshold that is as good as the best.
func LossCurve(ds *mlcore.Dataset, feature int, loss func(feature int, thresh float64) float64) plotx.Series {
	s := plotx.Series{Name: ds.FeatureNames()[feature], Steps: true}
	for _, at := range Thresholds(ds.X, feature) {
		s.X, s.Y = append(s.X, at), append(s.Y, loss(feature, at))
	}
	s.Marks = plotx.Lowest(s.Y)
	return s
}
