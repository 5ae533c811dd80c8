package assess

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A FitPredictValues learns from a data set with a numeric target and predicts a
// value for each row of X: what [FitPredict] is for classes.
type FitPredictValues func(train *mlcore.Dataset, X *mat.Dense) []float64

// Regressor is the FitPredictValues of a configuration of mlcore:
//
//	assess.Regressor(tree.Config{MaxDepth: 3}.FitRegressor)
//
// It panics on an error of the training or of the prediction, as a cell would.
func Regressor[M mlcore.Regressor](train func(ds *mlcore.Dataset) (M, error)) FitPredictValues {
	return func(ds *mlcore.Dataset, X *mat.Dense) []float64 {
		m, err := train(ds)
		must(err)
		predicted, err := m.Predict(X)
		must(err)
		return predicted
	}
}

// MeanSquaredError is the mean of the squared differences between the predictions
// and the targets.
func MeanSquaredError(predicted, target []float64) float64 {
	mse, err := metrics.MSE(target, predicted, nil)
	must(err)
	return mse
}

// TrainingMSE is the mean squared error on the data that f has learned from.
func TrainingMSE(f FitPredictValues, ds *mlcore.Dataset) float64 {
	return MeanSquaredError(f(ds, ds.X), ds.Target)
}

// TestMSE is the mean squared error on test of f trained on train.
func TestMSE(f FitPredictValues, train, test *mlcore.Dataset) float64 {
	return MeanSquaredError(f(train, test.X), test.Target)
}

// Points are the samples of a data set of one feature as the markers of a figure:
// the feature to the right, the target upwards.
func Points(name string, ds *mlcore.Dataset) plotx.Series {
	return plotx.Series{Name: name, X: mat.Col(nil, 0, ds.X), Y: ds.Target, Dots: true, NoLine: true}
}

// ValueCurve is the curve of f, trained on a data set of one feature, at 500 points
// over the range of that feature.
func ValueCurve(name string, f FitPredictValues, ds *mlcore.Dataset) plotx.Series {
	const points = 500
	x := mat.Col(nil, 0, ds.X)
	xs := floats.Span(make([]float64, points), floats.Min(x), floats.Max(x))
	return plotx.Series{Name: name, X: xs, Y: f(ds, mat.NewDense(points, 1, xs))}
}
