package metrics_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/mat"
)

func second[T any](_ T, err error) error { return err }

// Every function that judges pairs refuses the same things in the same way.
func TestErrors(t *testing.T) {
	inf := math.Inf(1)
	two := mat.NewDense(2, 2, []float64{0.5, 0.5, 1, 0})
	labels := map[string]func(truth, predicted []int, w []float64) error{
		"Accuracy":  func(y, p []int, w []float64) error { return second(metrics.Accuracy(y, p, w)) },
		"ErrorRate": func(y, p []int, w []float64) error { return second(metrics.ErrorRate(y, p, w)) },
		"Confusion": func(y, p []int, w []float64) error { return second(metrics.Confusion(y, p, 2, w)) },
		"counted":   func(y, p []int, w []float64) error { return second(metrics.Confusion(y, p, 0, w)) },
	}
	for name, f := range labels {
		check(t, name+" empty", f(nil, nil, nil), mlcore.ErrEmpty, "no rows")
		check(t, name+" lengths", f([]int{0, 1}, []int{0}, nil), mlcore.ErrShape, "truth has 2 rows, predicted has 1")
		check(t, name+" truth", f([]int{0, -1}, []int{0, 0}, nil), mlcore.ErrLabel, "truth: ", "-1 in row 1")
		check(t, name+" predicted", f([]int{0, 1}, []int{-2, 0}, nil), mlcore.ErrLabel, "predicted: ", "-2 in row 0")
		check(t, name+" weights", f([]int{0, 1}, []int{1, 0}, []float64{1}), mlcore.ErrShape, "2 rows, w has 1")
		check(t, name+" bad weight", f([]int{0, 1}, []int{1, 0}, []float64{1, nan}), mlcore.ErrWeight, "NaN in row 1")
		check(t, name+" no weight", f([]int{0, 1}, []int{1, 0}, []float64{0, 0}), mlcore.ErrWeight, "sum to 0")
	}
	scores := map[string]func(truth []int, score, w []float64) error{
		"ROC":              func(y []int, s, w []float64) error { return second(metrics.ROC(y, s, w)) },
		"ROCAUC":           func(y []int, s, w []float64) error { return second(metrics.ROCAUC(y, s, w)) },
		"PrecisionRecall":  func(y []int, s, w []float64) error { return second(metrics.PrecisionRecall(y, s, w)) },
		"AveragePrecision": func(y []int, s, w []float64) error { return second(metrics.AveragePrecision(y, s, w)) },
		"BinaryLogLoss":    func(y []int, s, w []float64) error { return second(metrics.BinaryLogLoss(y, s, w)) },
		"BrierScore":       func(y []int, s, w []float64) error { return second(metrics.BrierScore(y, s, w)) },
	}
	for name, f := range scores {
		check(t, name+" empty", f(nil, nil, nil), mlcore.ErrEmpty)
		check(t, name+" lengths", f([]int{0, 1}, []float64{0}, nil), mlcore.ErrShape, "truth has 2 rows, score has 1")
		check(t, name+" third class", f([]int{0, 2}, []float64{0, 0}, nil), mlcore.ErrLabel, "2 in row 1")
		check(t, name+" NaN", f([]int{0, 1}, []float64{0, nan}, nil), mlcore.ErrNonFinite, "NaN in row 1")
		check(t, name+" infinity", f([]int{0, 1}, []float64{inf, 0}, nil), mlcore.ErrNonFinite, "+Inf in row 0")
		check(t, name+" weights", f([]int{0, 1}, []float64{0, 1}, []float64{-1, 1}), mlcore.ErrWeight, "-1 in row 0")
	}
	calibration := func(cfg metrics.CalibrationConfig, prob ...float64) error {
		return second(metrics.Calibration([]int{0, 1}, prob, cfg))
	}
	check(t, "calibration", calibration(metrics.CalibrationConfig{}, 0, 1.5), metrics.ErrProbability, "1.5 in row 1")
	check(t, "calibration lengths", calibration(metrics.CalibrationConfig{}, 0), mlcore.ErrShape)
	check(t, "calibration bins", calibration(metrics.CalibrationConfig{Bins: -1}, 0, 1), mlcore.ErrConfig, "-1 bins")
	check(t, "absurd calibration bins", calibration(metrics.CalibrationConfig{Bins: 1 << 30}, 0, 1), mlcore.ErrConfig, "1073741824 bins")
	check(t, "calibration strategy", calibration(metrics.CalibrationConfig{Strategy: 7}, 0, 1), mlcore.ErrConfig, "strategy 7")
	for _, p := range []float64{-0.1, 1.1} {
		check(t, "log loss", second(metrics.BinaryLogLoss([]int{0, 1}, []float64{0, p}, nil)), metrics.ErrProbability, "in row 1")
		check(t, "Brier", second(metrics.BrierScore([]int{0, 1}, []float64{0, p}, nil)), metrics.ErrProbability, "in row 1")
	}

	tables := map[string]func(truth []int, s mat.Matrix, w []float64) error{
		"LogLoss":              func(y []int, s mat.Matrix, w []float64) error { return second(metrics.LogLoss(y, s, w)) },
		"MulticlassBrierScore": func(y []int, s mat.Matrix, w []float64) error { return second(metrics.MulticlassBrierScore(y, s, w)) },
		"TopKAccuracy":         func(y []int, s mat.Matrix, w []float64) error { return second(metrics.TopKAccuracy(y, s, 1, w)) },
		"ROCAUCOneVsRest":      func(y []int, s mat.Matrix, w []float64) error { return second(metrics.ROCAUCOneVsRest(y, s, w)) },
	}
	for name, f := range tables {
		check(t, name+" nil", f([]int{0}, nil, nil), mlcore.ErrEmpty, "scores is nil")
		check(t, name+" nil matrix", f([]int{0}, (*mat.Dense)(nil), nil), mlcore.ErrEmpty, "scores is nil")
		check(t, name+" empty", f(nil, &mat.Dense{}, nil), mlcore.ErrEmpty)
		check(t, name+" lengths", f([]int{0}, two, nil), mlcore.ErrShape, "truth has 1 rows, scores has 2")
		check(t, name+" label", f([]int{0, 2}, two, nil), mlcore.ErrLabel, "2 in row 1")
		check(t, name+" NaN", f([]int{0, 1}, mat.NewDense(2, 2, []float64{0.5, 0.5, 1, nan}), nil), mlcore.ErrNonFinite, "row 1, column 1")
		check(t, name+" weights", f([]int{0, 1}, two, []float64{1, 2, 3}), mlcore.ErrShape)
	}
	for _, name := range []string{"LogLoss", "MulticlassBrierScore"} {
		check(t, name+" sum", tables[name]([]int{0, 1}, mat.NewDense(2, 2, []float64{0.5, 0.5, 0.5, 0.4}), nil), metrics.ErrProbability, "row 1", "0.9")
		check(t, name+" range", tables[name]([]int{0, 1}, mat.NewDense(2, 2, []float64{1.5, -0.5, 0.5, 0.5}), nil), metrics.ErrProbability, "row 0, column 0")
		check(t, name+" below 0", tables[name]([]int{0}, mat.NewDense(1, 3, []float64{0.6, 0.6, -0.2}), nil), metrics.ErrProbability, "row 0, column 2")
	}
	check(t, "top 0", second(metrics.TopKAccuracy([]int{0, 1}, two, 0, nil)), mlcore.ErrConfig, "k is 1 to 2")
	check(t, "top 3", second(metrics.TopKAccuracy([]int{0, 1}, two, 3, nil)), mlcore.ErrConfig)
	check(t, "pairs of one", second(metrics.ROCAUCOneVsOne([]int{0}, mat.NewDense(1, 1, nil))), mlcore.ErrOneClass)
	check(t, "pairs", second(metrics.ROCAUCOneVsOne([]int{0}, two)), mlcore.ErrShape)

	targets := map[string]func(truth, predicted, w []float64) error{
		"MSE":      func(y, f, w []float64) error { return second(metrics.MSE(y, f, w)) },
		"RMSE":     func(y, f, w []float64) error { return second(metrics.RMSE(y, f, w)) },
		"MAE":      func(y, f, w []float64) error { return second(metrics.MAE(y, f, w)) },
		"MedianAE": func(y, f, w []float64) error { return second(metrics.MedianAE(y, f, w)) },
		"R2":       func(y, f, w []float64) error { return second(metrics.R2(y, f, w)) },
		"MaxError": func(y, f, _ []float64) error { return second(metrics.MaxError(y, f)) },
	}
	for name, f := range targets {
		check(t, name+" empty", f(nil, nil, nil), mlcore.ErrEmpty)
		check(t, name+" lengths", f([]float64{0, 1}, []float64{0}, nil), mlcore.ErrShape, "truth has 2 rows, predicted has 1")
		check(t, name+" truth", f([]float64{0, nan}, []float64{0, 1}, nil), mlcore.ErrNonFinite, "truth: ", "NaN in row 1")
		check(t, name+" predicted", f([]float64{0, 1}, []float64{-inf, 1}, nil), mlcore.ErrNonFinite, "predicted: ", "-Inf in row 0")
		if name != "R2" {
			check(t, name+" overflow", f([]float64{-1.5e308, 1.5e308}, []float64{1.5e308, -1.5e308}, nil), mlcore.ErrNonFinite, "rescale")
		}
		if name != "MaxError" {
			check(t, name+" weights", f([]float64{0, 1}, []float64{0, 1}, []float64{0, 0}), mlcore.ErrWeight)
		}
	}
	check(t, "MSE overflow", second(metrics.MSE([]float64{1e200}, []float64{0}, nil)), mlcore.ErrNonFinite, "rescale")
	check(t, "R2 overflow", second(metrics.R2([]float64{1, -1}, []float64{1e200, 0}, nil)), mlcore.ErrNonFinite, "rescale")
	check(t, "R2 overflow of small numbers", second(metrics.R2([]float64{1e-200, -1e-200}, []float64{1e200, 0}, nil)), mlcore.ErrNonFinite, "rescale")

	check(t, "classes", second(metrics.Confusion([]int{0, 2}, []int{0, 0}, 2, nil)), mlcore.ErrLabel, "2 in row 1")
	check(t, "negative classes", second(metrics.Confusion([]int{0}, []int{0}, -1, nil)), mlcore.ErrConfig)
	check(t, "a wild label", second(metrics.Confusion([]int{0}, []int{1 << 19}, 0, nil)), mlcore.ErrConfig, "at most 10000")
	check(t, "counts nil", second(metrics.ConfusionFromCounts(nil)), mlcore.ErrEmpty)
	check(t, "counts empty", second(metrics.ConfusionFromCounts(&mat.Dense{})), mlcore.ErrEmpty)
	check(t, "counts not square", second(metrics.ConfusionFromCounts(mat.NewDense(1, 2, nil))), mlcore.ErrShape, "1×2")
	check(t, "counts negative", second(metrics.ConfusionFromCounts(mat.NewDense(2, 2, []float64{1, 1, -1, 1}))), mlcore.ErrWeight, "row 1, column 0")
	check(t, "counts not numbers", second(metrics.ConfusionFromCounts(mat.NewDense(2, 2, []float64{1, nan, 1, 1}))), mlcore.ErrWeight, "row 0, column 1")
	check(t, "counts of too much", second(metrics.ConfusionFromCounts(mat.NewDense(1, 1, []float64{inf}))), mlcore.ErrWeight, "row 0, column 0")
	check(t, "counts that overflow", second(metrics.ConfusionFromCounts(mat.NewDense(2, 2, []float64{math.MaxFloat64, 0, 0, math.MaxFloat64}))), mlcore.ErrWeight, "sum to +Inf")
	check(t, "counts of nothing", second(metrics.ConfusionFromCounts(mat.NewDense(2, 2, nil))), mlcore.ErrWeight, "sum to 0")
	// As far from 1 as rounding to float32 goes, and further.
	for _, c := range []struct {
		excess float64
		want   error
	}{{0.5e-6, nil}, {-0.5e-6, nil}, {2e-6, metrics.ErrProbability}, {-2e-6, metrics.ErrProbability}} {
		check(t, "sum of probabilities", second(metrics.LogLoss([]int{0}, mat.NewDense(1, 2, []float64{0.5, 0.5 + c.excess}), nil)), c.want)
	}
	check(t, "pool of none", second(metrics.PoolConfusion()), mlcore.ErrEmpty)
	check(t, "pool", second(metrics.PoolConfusion(fromCounts(t, 1, 1), fromCounts(t, 2, 1, 0, 0, 1))), mlcore.ErrShape, "matrix 1 has 2")
	check(t, "pool of nil", second(metrics.PoolConfusion(fromCounts(t, 1, 1), nil)), mlcore.ErrEmpty, "matrix 1")
	huge := fromCounts(t, 1, math.MaxFloat64)
	check(t, "pool of too much", second(metrics.PoolConfusion(huge, huge)), mlcore.ErrWeight, "+Inf")
	check(t, "area of too much", second(metrics.AUC([]float64{-1e308, 1e308}, []float64{1, 1})), mlcore.ErrNonFinite, "overflows")
	check(t, "falling area of too much", second(metrics.AUC([]float64{1, 0}, []float64{1e308, 1e308})), mlcore.ErrNonFinite, "overflows")
	check(t, "pool of nil first", second(metrics.PoolConfusion(nil)), mlcore.ErrEmpty, "matrix 0")
	check(t, "names", second(fromCounts(t, 1, 1).WithClassNames([]string{"a", "b"})), mlcore.ErrShape, "2 names for 1 classes")
	check(t, "area of a point", second(metrics.AUC([]float64{1}, []float64{1})), mlcore.ErrEmpty)
	check(t, "area lengths", second(metrics.AUC([]float64{1}, nil)), mlcore.ErrShape)
	check(t, "area to and fro", second(metrics.AUC([]float64{0, 2, 1}, []float64{0, 0, 0})), mlcore.ErrConfig, "sort")
	check(t, "area of NaN", second(metrics.AUC([]float64{0, nan}, []float64{0, 0})), mlcore.ErrNonFinite)
}

func check(t *testing.T, what string, err, want error, parts ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got error %v, want one that wraps %q", what, err, want)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%s: %q does not say %q", what, err, p)
		}
	}
}

// A class that is not there is the programmer's mistake.
func TestClassOutOfRangePanics(t *testing.T) {
	m := fromCounts(t, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	for name, f := range map[string]func(k int){
		"TP": func(k int) { m.TP(k) }, "FP": func(k int) { m.FP(k) }, "FN": func(k int) { m.FN(k) }, "TN": func(k int) { m.TN(k) },
		"Precision": func(k int) { m.Precision(k) }, "Recall": func(k int) { m.Recall(k) }, "F1": func(k int) { m.F1(k) },
		"Support": func(k int) { m.Support(k) },
		"At row":  func(k int) { m.At(k, 0) }, "At column": func(k int) { m.At(0, k) },
	} {
		for _, k := range []int{-1, m.NumClasses()} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s of class %d did not panic", name, k)
					}
				}()
				f(k)
			}()
		}
	}
}
