package linear_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"gonum.org/v1/gonum/mat"
)

// lastCell is the error about v in the last cell of n×d.
func lastCell(v float64, n, d int) string {
	place := fmt.Sprintf("row %d, column %d (x%d)", n-1, d-1, d-1)
	if math.IsNaN(v) {
		return fmt.Sprintf("linear: %v: a missing value in %s; put preprocess.ImputerConfig before it in a pipeline, or drop the row", mlcore.ErrNonFinite, place)
	}
	return fmt.Sprintf("linear: %v: %v in %s", mlcore.ErrNonFinite, v, place)
}

// TestLastCellNotFinite: a NaN or an infinity in the last cell is refused, though the
// regressors see it only in sums: where there are fewer rows than columns, and where its
// row has the weight 0.
func TestLastCellNotFinite(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {3, 5}, {70, 4}, {3000, 21}} {
		n, d := size[0], size[1]
		y, unit, without := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			y[i], unit[i], without[i] = float64(i%7), 1, 1
		}
		without[n-1] = 0
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			X, _ := noisy(n, d)
			X.Set(n-1, d-1, v)
			for _, tc := range []struct {
				name string
				y, w []float64
			}{
				{"plain", y, nil}, {"weighted", y, unit}, {"of weight 0", y, without},
			} {
				if n == 1 && tc.name == "of weight 0" {
					continue // no row has a weight, and that comes first
				}
				want := lastCell(v, n, d)
				ds := mlcore.FromMatrix(X, tc.y, tc.w)
				for name, err := range map[string]error{
					"least squares": second(linear.LeastSquaresConfig{}.FitRegressor(ds)),
					"ridge":         second(linear.RidgeConfig{Alpha: 1, NoIntercept: true}.FitRegressor(ds)),
					"elastic net":   second(linear.ElasticNetConfig{Alpha: 1, L1Ratio: 0.5}.FitRegressor(ds)),
				} {
					if err == nil || err.Error() != want {
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
				{"of one class", make([]int, n), nil},
			} {
				want := lastCell(v, n, d)
				for name, err := range map[string]error{
					"logistic":   second(linear.LogisticConfig{}.FitClassifier(mlcore.FromMatrix(X, tc.y, tc.w))),
					"perceptron": second(linear.PerceptronConfig{}.FitClassifier(mlcore.FromMatrix(X, tc.y, tc.w))),
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
		want := fmt.Sprintf("linear: %v: %s", mlcore.ErrNonFinite, tc.message)
		for name, err := range map[string]error{
			"fit":          second(linear.RidgeConfig{Alpha: 1}.FitRegressor(ds)),
			"config":       second(linear.RidgeConfig{Alpha: -1}.FitRegressor(ds)),
			"no target":    second(linear.RidgeConfig{}.FitRegressor(noTarget)),
			"classes":      second(linear.LogisticConfig{}.FitClassifier(noTarget)),
			"no labels":    second(linear.LogisticConfig{}.FitClassifier(ds)),
			"perceptron":   second(linear.PerceptronConfig{}.FitClassifier(noTarget)),
			"lasso":        second(linear.LassoConfig{Alpha: 1}.FitRegressor(ds)),
			"leastsquares": second(linear.LeastSquaresConfig{}.FitRegressor(ds)),
		} {
			if err == nil || err.Error() != want || !errors.Is(err, mlcore.ErrNonFinite) {
				t.Errorf("%s, %s: error %v, want %s", tc.name, name, err, want)
			}
		}
	}
}

func second[M any](_ M, err error) error { return err }

// Coefficients that are numbers, while the sum of their squares is none, do not overflow
// themselves: the error says what does.
func TestRefusalsOfGreatCoefficientsSayWhatOverflows(t *testing.T) {
	for _, scale := range []float64{1e160, 4e307} {
		X := mat.NewDense(4, 2, []float64{scale, scale, scale, -scale, -scale, scale, -scale, -scale})
		_, err := linear.PerceptronConfig{Epochs: 5}.FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 1, 1}, nil))
		if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), "the coefficients, or their squares, overflow; bring the columns to a moderate scale") {
			t.Errorf("columns of %v: error %v", scale, err)
		}
	}
}
