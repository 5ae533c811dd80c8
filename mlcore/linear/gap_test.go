package linear_test

import (
	"errors"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"gonum.org/v1/gonum/mat"
)

// A lasso that says that it has converged is as near to its minimum as Tol asks for, worked
// out from the definition of the duality gap. The columns are alike but for a little, so that
// one coefficient can stand for another, and a column that is left out may have had a large
// one.
func TestGapIsThatOfTheCoefficients(t *testing.T) {
	const tol = 1e-5
	converged := 0
	for seed := range uint64(500) {
		r := mlcore.NewRand(seed)
		n, d := 4+r.IntN(4), 2+r.IntN(5)
		little := 1 / float64(1+r.IntN(500))
		X, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			shared := r.NormFloat64()
			for j := range d {
				X.Set(i, j, shared+little*r.NormFloat64())
			}
			y[i] = shared*float64(r.IntN(2)) + little*r.NormFloat64()
		}
		path, err := linear.LassoConfig{NoIntercept: true, Tol: tol}.Path(mlcore.FromMatrix(X, y, nil), linear.PathConfig{N: 7, Epsilon: .01})
		if err != nil {
			t.Fatal(err)
		}
		for k := range path.Len() {
			m := path.Model(k)
			if m.Status().Outcome != mlcore.Converged {
				continue
			}
			converged++
			l1 := m.Alpha() * float64(n)
			var squares, residuals, product, sizes, worst float64
			residual := make([]float64, n)
			for i := range n {
				residual[i] = y[i]
				for j, b := range m.Coef() {
					residual[i] -= X.At(i, j) * b
				}
				squares += y[i] * y[i]
				residuals += residual[i] * residual[i]
				product += residual[i] * y[i]
			}
			for j, b := range m.Coef() {
				sizes += math.Abs(b)
				worst = max(worst, math.Abs(mat.Dot(X.ColView(j), mat.NewVecDense(n, residual))))
			}
			share := min(1, l1/worst)
			gap := residuals/2*(1+share*share) + l1*sizes - share*product
			if !(gap <= 1.000001*tol*squares) {
				t.Fatalf("seed %d, penalty %d: the gap is %.3g of the sum of squares, Tol is %v, and Measure %.3g", seed, k, gap/squares, tol, m.Status().Measure)
			}
		}
	}
	if converged < 2000 {
		t.Errorf("%d models have converged", converged)
	}
}

// Coefficients of which the squares overflow are an error of all regressors, also of the lasso,
// to whose bound the squares do not belong.
func TestCoefficientsThatOverflow(t *testing.T) {
	r := mlcore.NewRand(3)
	X, y := mat.NewDense(20, 3, nil), make([]float64, 20)
	for i := range 20 {
		for j := range 3 {
			X.Set(i, j, 1e-100*r.NormFloat64())
		}
		y[i] = 1e200*X.At(i, 0) + r.NormFloat64()*1e90
	}
	ds := mlcore.FromMatrix(X, y, nil)
	_, lasso := linear.LassoConfig{Alpha: .1}.FitRegressor(ds)
	_, net := linear.ElasticNetConfig{Alpha: 1e-250, L1Ratio: .5}.FitRegressor(ds)
	_, squares := linear.LeastSquaresConfig{}.FitRegressor(ds)
	for _, err := range []error{lasso, net, squares} {
		if !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("%v, want that the coefficients overflow", err)
		}
	}
}
