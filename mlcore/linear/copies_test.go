package linear_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"gonum.org/v1/gonum/mat"
)

// Copies of a column share its coefficient: their sum is that of the column alone, of least
// squares as of the lasso, and with a penalty of squares that of a column with as much less
// of it. By hand, from sums over the rows.
func TestCopiesShareACoefficient(t *testing.T) {
	for _, d := range []int{2, 11, 20, 40, 100} {
		for _, n := range []int{30, 300, 3000} {
			for _, noIntercept := range []bool{true, false} {
				r := mlcore.NewRand(uint64(d + n))
				X, y := mat.NewDense(n, d, nil), make([]float64, n)
				x := make([]float64, n)
				var meanX, meanY float64
				for i := range n {
					x[i] = r.NormFloat64()
					for j := range d {
						X.Set(i, j, x[i])
					}
					y[i] = 3*x[i] + r.NormFloat64()
					meanX += x[i] / float64(n)
					meanY += y[i] / float64(n)
				}
				if noIntercept {
					meanX, meanY = 0, 0
				}
				var product, square float64
				for i := range n {
					product += (x[i] - meanX) * (y[i] - meanY)
					square += (x[i] - meanX) * (x[i] - meanX)
				}
				ds := mlcore.FromMatrix(X, y, nil)
				for _, tc := range []struct {
					name string
					fit  func(ds *mlcore.Dataset) (mlcore.Regressor, error)
					want float64
				}{
					{"least squares", func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
						return linear.LeastSquaresConfig{NoIntercept: noIntercept}.FitRegressor(ds)
					}, product / square},
					{"lasso", func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
						return linear.LassoConfig{NoIntercept: noIntercept, Alpha: .1, Tol: 1e-13}.FitRegressor(ds)
					}, (product - .1*float64(n)) / square},
					{"ridge", func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
						return linear.RidgeConfig{NoIntercept: noIntercept, Alpha: 2}.FitRegressor(ds)
					}, product / (square + 2/float64(d))},
				} {
					m, err := tc.fit(ds)
					if err != nil {
						t.Errorf("%s of %d rows of %d copies: %v", tc.name, n, d, err)
						continue
					}
					sum := 0.0
					for _, v := range m.(interface{ Coef() []float64 }).Coef() {
						sum += v
					}
					if !(math.Abs(sum-tc.want) <= 1e-6) {
						t.Errorf("%s of %d rows of %d copies, without intercept: %v: coefficients sum to %v, want %v", tc.name, n, d, noIntercept, sum, tc.want)
					}
				}
			}
		}
	}
}
