package assess_test

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
)

// Four samples by hand: a stump cuts at 1.5 and predicts the means 2 and 7.
func TestRegression(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{1, 3, 6, 8}, nil)
	stump := assess.Regressor(tree.Config{MaxDepth: 1}.FitRegressor)
	if got := assess.TrainingMSE(stump, ds); got != 1 {
		t.Errorf("training error %v, want the mean of 1, 1, 1 and 1", got)
	}
	test := mlcore.FromMatrix(mat.NewDense(2, 1, []float64{-5, 9}), []float64{2, 4}, nil)
	if got := assess.TestMSE(stump, ds, test); got != 4.5 {
		t.Errorf("test error %v, want the mean of 0 and 9", got)
	}
	points := assess.Points("samples", ds)
	if !slices.Equal(points.X, []float64{0, 1, 2, 3}) || !slices.Equal(points.Y, ds.Target) || !points.NoLine {
		t.Errorf("points %+v, want the samples without a line", points)
	}
	curve := assess.ValueCurve("stump", stump, ds)
	last := len(curve.X) - 1
	if curve.X[0] != 0 || curve.X[last] != 3 || curve.Y[0] != 2 || curve.Y[last] != 7 {
		t.Errorf("curve from (%v, %v) to (%v, %v), want (0, 2) to (3, 7)", curve.X[0], curve.Y[0], curve.X[last], curve.Y[last])
	}
}
