package linear

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Residuals r + Σ rate^k v for a few vectors v are what sweeps lead to. The combination is r,
// which they approach: up to remembered-1 rates are taken out at once.
func TestWeightsOfLinearSteps(t *testing.T) {
	const n = 40
	for _, tc := range []struct {
		name  string
		scale float64
		rates []float64
	}{
		{"one direction", 1, []float64{0.9}},
		{"slow", 1, []float64{0.999}},
		{"two", 1, []float64{0.9, 0.5}},
		{"alternating", 1, []float64{-0.8, 0.7}},
		{"four", 1, []float64{0.95, 0.7, 0.3, -0.5}},
		{"squares underflow", 0x1p-600, []float64{0.9, 0.5}},
		{"squares overflow", 0x1p600, []float64{0.9, 0.5}},
	} {
		rng := mlcore.NewRand(3, uint64(len(tc.rates)))
		limit, directions := make([]float64, n), make([][]float64, len(tc.rates))
		for i := range limit {
			limit[i] = tc.scale * rng.NormFloat64()
		}
		for k := range directions {
			directions[k] = make([]float64, n)
			for i := range n {
				directions[k][i] = tc.scale * rng.NormFloat64()
			}
		}
		var h history
		for k := range remembered + 1 {
			r := append([]float64(nil), limit...)
			for at, rate := range tc.rates {
				for i, v := range directions[at] {
					r[i] += math.Pow(rate, float64(k)) * v
				}
			}
			h.residual = append(h.residual, r)
		}
		w, ok := h.weights()
		if !ok || len(w) != remembered {
			t.Fatalf("%s: weights %v, %v", tc.name, w, ok)
		}
		before, after := 0.0, 0.0
		for i, want := range limit {
			got := 0.0
			for k, v := range w {
				got += v * h.residual[k+1][i]
			}
			before = max(before, math.Abs(h.residual[remembered][i]-want))
			after = max(after, math.Abs(got-want))
		}
		if !(after <= 1e-2*before) {
			t.Errorf("%s: %v from the limit, and %v without the combination", tc.name, after, before)
		}
	}
	same := []float64{1, 2}
	if w, ok := (&history{residual: [][]float64{same, same, same}}).weights(); ok {
		t.Errorf("no step: weights %v", w)
	}
}

// Nearly as many columns as rows, all of which count, make sweeps slow: without combinations
// of what they lead to these take 151 iterations and 138.
func TestFewSweepsOnRows(t *testing.T) {
	for _, tc := range []struct {
		name    string
		n, d    int
		l1Ratio float64
		most    int
	}{
		{"lasso", 600, 500, 1, 40},
		{"elastic net", 600, 500, 0.9, 40},
	} {
		rng := mlcore.NewRand(1, 2)
		X, y := mat.NewDense(tc.n, tc.d, nil), make([]float64, tc.n)
		coef := make([]float64, tc.d)
		for j := range coef {
			coef[j] = rng.NormFloat64()
		}
		for i := range y {
			row := X.RawRowView(i)
			for j := range row {
				row[j] = rng.NormFloat64()
				y[i] += row[j] * coef[j]
			}
			y[i] += rng.NormFloat64()
		}
		cfg, ds := ElasticNetConfig{Alpha: 0.01, L1Ratio: tc.l1Ratio}, mlcore.FromMatrix(X, y, nil)
		s, err := cfg.descent(ds)
		if err != nil {
			t.Fatal(err)
		}
		s.reduceCost = 1e300
		m, err := cfg.model(s, cfg.Alpha)
		if err != nil {
			t.Fatal(err)
		}
		if st := m.Status(); st.Outcome != mlcore.Converged || st.Iterations > tc.most || st.Measure > 1e-8 {
			t.Errorf("%s: %v", tc.name, st)
		}
	}
}
