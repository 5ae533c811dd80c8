package linear_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
)

// Each target stands once beside 1 and once beside -1, so that the column explains nothing:
// the slope, R² and F are 0 and the p-value is 1, by hand. Rounding may leave residuals whose
// squares sum to more than those of the centred targets.
func TestNothingExplained(t *testing.T) {
	balanced := func(y ...float64) *mlcore.Dataset {
		X, twice := mat.NewDense(2*len(y), 1, nil), make([]float64, 2*len(y))
		for i, v := range y {
			X.Set(2*i, 0, 1)
			X.Set(2*i+1, 0, -1)
			twice[2*i], twice[2*i+1] = v, v
		}
		return mlcore.FromMatrix(X, twice, nil)
	}
	sets := []*mlcore.Dataset{balanced(-0.32862434154973075, -0.5711417505810887, -1.094279572434882)}
	rng := mlcore.NewRand(3)
	for range 500 {
		y := make([]float64, 2+rng.IntN(4))
		for i := range y {
			y[i] = rng.NormFloat64()
		}
		sets = append(sets, balanced(y...))
	}
	for k, ds := range sets {
		m, err := linear.LeastSquaresConfig{}.FitRegressor(ds)
		if err != nil {
			t.Fatalf("set %d, targets %v: %v", k, ds.Target, err)
		}
		f := m.Fit()
		if !(f.R2 >= 0 && f.R2 < 1e-14) || !(f.F >= 0 && f.F < 1e-12) || !(math.Abs(f.FP-1) < 1e-5) {
			t.Errorf("set %d: R² %v, F %v, p %v; want 0, 0, 1", k, f.R2, f.F, f.FP)
		}
	}
}
