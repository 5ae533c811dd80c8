package linear_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"gonum.org/v1/gonum/mat"
)

// TestLastCellNotFinite: a NaN or an infinity in the last cell is refused, though the
// regressors see it only in sums: where there are fewer rows than columns, where its row
// has the weight 0, and before anything else that is wrong with the data.
func TestLastCellNotFinite(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {3, 5}, {70, 4}, {3000, 21}} {
		n, d := size[0], size[1]
		y, unit, without := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			y[i], unit[i], without[i] = float64(i%7), 1, 1
		}
		without[n-1] = 0
		badTarget := append(y[:n-1:n-1], math.NaN())
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			X, _ := noisy(n, d)
			X.Set(n-1, d-1, v)
			for _, tc := range []struct {
				name string
				y, w []float64
			}{
				{"plain", y, nil}, {"weighted", y, unit}, {"of weight 0", y, without},
				{"too few weights", y, unit[1:]}, {"too few targets", y[1:], nil}, {"with a bad target", badTarget, nil},
			} {
				want := fmt.Sprintf("linear: %v: %v in row %d, column %d; impute or drop it first", mlcore.ErrNonFinite, v, n-1, d-1)
				for name, fit := range map[string]func(mat.Matrix, []float64, []float64) error{
					"least squares": func(X mat.Matrix, y, w []float64) error {
						_, err := linear.LeastSquaresConfig{}.FitRegressor(X, y, w)
						return err
					},
					"ridge": func(X mat.Matrix, y, w []float64) error {
						_, err := linear.RidgeConfig{Alpha: 1, NoIntercept: true}.FitRegressor(X, y, w)
						return err
					},
					"elastic net": func(X mat.Matrix, y, w []float64) error {
						_, err := linear.ElasticNetConfig{Alpha: 1, L1Ratio: 0.5}.FitRegressor(X.T().T(), y, w)
						return err
					},
				} {
					if err := fit(X, tc.y, tc.w); err == nil || err.Error() != want {
						t.Errorf("%d×%d, %s, %s: error %v, want %s", n, d, name, tc.name, err, want)
					}
				}
			}
		}
	}
}

// TestLastCellOfClassifierNotFinite: the same for classifiers, which keep what is not 0
// of a matrix that is mostly 0.
func TestLastCellOfClassifierNotFinite(t *testing.T) {
	for _, every := range []int{1, 9} { // how many cells lie between two that are not 0
		const n, d = 3000, 20
		y, unit, without := make([]int, n), make([]float64, n), make([]float64, n)
		for i := range n {
			y[i], unit[i], without[i] = i%2, 1, 1
		}
		without[n-1] = 0
		badLabel := append(y[:n-1:n-1], -1)
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			X := mat.NewDense(n, d, nil)
			for at := 0; at < n*d; at += every {
				X.Set(at/d, at%d, 1)
			}
			X.Set(n-1, d-1, v)
			for _, tc := range []struct {
				name string
				y    []int
				w    []float64
			}{
				{"plain", y, nil}, {"weighted", y, unit}, {"of weight 0", y, without},
				{"too few weights", y, unit[1:]}, {"too few labels", y[1:], nil}, {"with a bad label", badLabel, nil}, {"of one class", make([]int, n), nil},
			} {
				want := fmt.Sprintf("linear: %v: %v in row %d, column %d; impute or drop it first", mlcore.ErrNonFinite, v, n-1, d-1)
				for name, err := range map[string]error{
					"logistic":   second(linear.LogisticConfig{}.FitClassifier(X, tc.y, tc.w)),
					"perceptron": second(linear.PerceptronConfig{}.FitClassifier(X, tc.y, tc.w)),
				} {
					if err == nil || err.Error() != want {
						t.Errorf("a value in %d cells, %s, %s: error %v, want %s", every, name, tc.name, err, want)
					}
				}
			}
		}
	}
}

// TestValuesBeforeTheRest: of a Dataset, an infinity is the error whatever else is wrong,
// then a missing value, and each has the name of its column.
func TestValuesBeforeTheRest(t *testing.T) {
	const missing = "a missing value in row 48, column 2 (x2); put preprocess.ImputerConfig before it in a pipeline, or drop the row"
	for _, tc := range []struct {
		name    string
		last    float64 // in the last row, after a missing value in the row before it
		message string
	}{
		{"missing", 1, missing},
		{"two missing", math.NaN(), missing},
		{"+Inf behind a missing value", math.Inf(1), "+Inf in row 49, column 2 (x2)"},
		{"-Inf behind a missing value", math.Inf(-1), "-Inf in row 49, column 2 (x2)"},
	} {
		X, labels := noisy(50, 3)
		X.Set(48, 2, math.NaN())
		X.Set(49, 2, tc.last)
		ds := mlcore.FromMatrix(X, make([]float64, 50), nil)
		noTarget := mlcore.FromMatrix(X, labels, nil)
		want := fmt.Sprintf("linear: matrix: %v: %s", mlcore.ErrNonFinite, tc.message)
		for name, err := range map[string]error{
			"fit":          second(linear.RidgeConfig{Alpha: 1}.TrainRegressor(ds)),
			"config":       second(linear.RidgeConfig{Alpha: -1}.TrainRegressor(ds)),
			"no target":    second(linear.RidgeConfig{}.TrainRegressor(noTarget)),
			"classes":      second(linear.LogisticConfig{}.TrainClassifier(noTarget)),
			"no labels":    second(linear.LogisticConfig{}.TrainClassifier(ds)),
			"perceptron":   second(linear.PerceptronConfig{}.TrainClassifier(noTarget)),
			"lasso":        second(linear.LassoConfig{Alpha: 1}.TrainRegressor(ds)),
			"leastsquares": second(linear.LeastSquaresConfig{}.TrainRegressor(ds)),
		} {
			if err == nil || err.Error() != want || !errors.Is(err, mlcore.ErrNonFinite) {
				t.Errorf("%s, %s: error %v, want %s", tc.name, name, err, want)
			}
		}
	}
}

func second[M any](_ M, err error) error { return err }
