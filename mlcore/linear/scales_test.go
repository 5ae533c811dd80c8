package linear_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"gonum.org/v1/gonum/mat"
)

// Regressors of columns and targets times powers of two are those of the columns and targets,
// with penalties that go along and coefficients in other units; by definition of the
// objectives.
func TestUnitsOfColumnsAndTargets(t *testing.T) {
	for seed := range uint64(40) {
		r := mlcore.NewRand(seed)
		n, d := 2+r.IntN(30), 1+r.IntN(30)
		X, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			for j := range d {
				X.Set(i, j, r.NormFloat64())
			}
			y[i] = X.At(i, 0) + r.NormFloat64()
		}
		noIntercept := seed%2 == 0
		for _, tc := range []struct {
			name string
			fit  func(ds *mlcore.Dataset, columns, targets int) (mlcore.Regressor, error)
		}{
			// So near to the minimum that the last bits, some of which underflow, do not matter.
			{"lasso", func(ds *mlcore.Dataset, columns, targets int) (mlcore.Regressor, error) {
				return linear.LassoConfig{Alpha: math.Ldexp(.1, columns+targets), NoIntercept: noIntercept, Tol: 1e-13}.FitRegressor(ds)
			}},
			{"ridge", func(ds *mlcore.Dataset, columns, targets int) (mlcore.Regressor, error) {
				return linear.RidgeConfig{Alpha: math.Ldexp(.1, 2*columns), NoIntercept: noIntercept}.FitRegressor(ds)
			}},
			{"ridge by reflections", func(ds *mlcore.Dataset, columns, targets int) (mlcore.Regressor, error) {
				return linear.ElasticNetConfig{Alpha: math.Ldexp(.1, 2*columns), NoIntercept: noIntercept}.FitRegressor(ds)
			}},
			{"least squares", func(ds *mlcore.Dataset, columns, targets int) (mlcore.Regressor, error) {
				return linear.LeastSquaresConfig{NoIntercept: noIntercept}.FitRegressor(ds)
			}},
		} {
			plain, err := tc.fit(mlcore.FromMatrix(X, y, nil), 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := plain.(interface{ Coef() []float64 }).Coef()
			longest := 0.0
			for _, v := range want {
				longest = max(longest, math.Abs(v))
			}
			for _, unit := range [][2]int{{-450, -450}, {-200, 0}, {200, -450}, {450, 450}, {450, 0}, {450, -450}} {
				columns, targets := unit[0], unit[1]
				X2, y2 := mat.NewDense(n, d, nil), make([]float64, n)
				for i := range n {
					for j := range d {
						X2.Set(i, j, math.Ldexp(X.At(i, j), columns))
					}
					y2[i] = math.Ldexp(y[i], targets)
				}
				m, err := tc.fit(mlcore.FromMatrix(X2, y2, nil), columns, targets)
				if err != nil {
					t.Errorf("%s, seed %d, columns times 2^%d and targets times 2^%d: %v", tc.name, seed, columns, targets, err)
					continue
				}
				for j, v := range m.(interface{ Coef() []float64 }).Coef() {
					if got := math.Ldexp(v, columns-targets); !(math.Abs(got-want[j]) <= 1e-9*longest) {
						t.Errorf("%s, seed %d, columns times 2^%d and targets times 2^%d: coefficient %d is %v, want %v", tc.name, seed, columns, targets, j, got, want[j])
						break
					}
				}
			}
		}
	}
}
