package linear

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Fewer rows than columns, of which a small penalty leaves nearly as many as there are rows: from
// coefficients of 0 these take 298 iterations and 117.
func TestLargerPenaltiesLead(t *testing.T) {
	const n, d = 108, 741
	rng := mlcore.NewRand(57, 2)
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range y {
		row := X.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
			y[i] += row[j] * math.Sin(float64(j))
		}
		y[i] += rng.NormFloat64()
	}
	for _, tc := range []struct {
		name string
		cfg  ElasticNetConfig
		most int
	}{
		{"lasso", ElasticNetConfig{Alpha: 1e-3, L1Ratio: 1}, 100},
		{"elastic net", ElasticNetConfig{Alpha: 1e-3, L1Ratio: 0.5}, 100},
		{"as many iterations as come before larger penalties", ElasticNetConfig{Alpha: 1e-3, L1Ratio: 1, MaxIter: 10}, 10},
		{"next to no penalty", ElasticNetConfig{Alpha: 1e-9, L1Ratio: 1, MaxIter: 3}, 3},
		{"next to no share of the lasso", ElasticNetConfig{Alpha: 1e-3, L1Ratio: 1e-300, MaxIter: 3}, 3},
	} {
		told := 0
		tc.cfg.Progress = func(mlcore.Progress) error { told++; return nil }
		m, err := tc.cfg.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		st := m.Status()
		if st.Iterations > tc.most || tc.cfg.MaxIter == 0 && st.Outcome != mlcore.Converged {
			t.Errorf("%s: %v", tc.name, st)
		}
		offset, loss := m.Intercept(), 0.0
		for i, v := range y {
			r := v - offset
			for j, b := range m.Coef() {
				r -= X.At(i, j) * b
			}
			loss += r * r / 2 / n
		}
		for _, b := range m.Coef() {
			loss += tc.cfg.Alpha * (tc.cfg.L1Ratio*math.Abs(b) + (1-tc.cfg.L1Ratio)*b*b/2)
		}
		if last := st.Loss[len(st.Loss)-1]; !(math.Abs(loss-last) <= 1e-9*last) {
			t.Errorf("%s: the coefficients have the loss %v, told is %v", tc.name, loss, last)
		}
		if told != st.Iterations {
			t.Errorf("%s: told of %d iterations, not %d", tc.name, told, st.Iterations)
		}
	}
}
