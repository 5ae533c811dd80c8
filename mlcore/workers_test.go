package mlcore_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// As many workers as there are numbers do what one does. The oracle is one worker.
func TestAbsurdlyManyWorkers(t *testing.T) {
	X, target := mat.NewDense(40, 3, nil), make([]float64, 40)
	rng := mlcore.NewRand(4)
	for i := range 40 {
		X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
		target[i] = X.At(i, 0) + rng.NormFloat64()
	}
	ds := mlcore.FromMatrix(X, target, nil)
	predicted := func(m mlcore.Regressor, err error) string {
		if err != nil {
			return err.Error()
		}
		y, err := m.Predict(X)
		return fmt.Sprint(y, err)
	}
	for name, use := range map[string]func(workers int) string{
		"least squares": func(w int) string { return predicted(linear.LeastSquaresConfig{Workers: w}.FitRegressor(ds)) },
		"lasso":         func(w int) string { return predicted(linear.LassoConfig{Alpha: 0.1, Workers: w}.FitRegressor(ds)) },
		"a forest": func(w int) string {
			return predicted(ensemble.ForestConfig{Estimators: 5, Workers: w}.FitRegressor(ds))
		},
		"the F score": func(w int) string {
			m, err := preprocess.SelectConfig{Workers: w}.Fit(ds)
			if err != nil {
				return err.Error()
			}
			return fmt.Sprint(m.Scores())
		},
	} {
		want := use(1)
		for _, workers := range []int{1 << 30, math.MaxInt} {
			if got := use(workers); got != want {
				t.Errorf("%s by %d workers: %s, by one %s", name, workers, got, want)
			}
		}
	}
}
