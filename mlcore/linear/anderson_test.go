package linear

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
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

// A history is of sweeps alone, while the same columns have a coefficient other than 0, and of one
// penalty on the same rows.
func TestHistoryBeginsAnew(t *testing.T) {
	some := func() *descent {
		p := &reduced{m: 2, d: 2, a: []float64{1, 0, 3, 0, 1, 5}, rows: &factor.Tall{}, weight: 1, total: 34}
		s := newDescent(p)
		s.l1 = 1
		s.begin()
		s.coef[0] = 1
		s.refresh()
		s.past.add(s)
		s.past.add(s)
		return s
	}
	for _, tc := range []struct {
		name   string
		change func(s *descent)
		want   int
	}{
		{"another sweep", func(s *descent) { s.past.add(s) }, 3},
		{"another column", func(s *descent) { s.coef[0], s.coef[1] = 0, 1; s.past.add(s) }, 1},
		{"a line search", func(s *descent) { s.lineSearch([]int{0}, []float64{1}) }, 0},
		{"another penalty", func(s *descent) { s.begin() }, 0},
		{"other rows", func(s *descent) { s.onReduced() }, 0},
	} {
		s := some()
		tc.change(s)
		if len(s.past.coef) != tc.want || len(s.past.residual) != tc.want {
			t.Errorf("%s: %d steps and %d residuals, want %d", tc.name, len(s.past.coef), len(s.past.residual), tc.want)
		}
	}
}

// By hand: sweeps that go to and fro between 1.5 and 2.5 combine to the middle. That is taken where
// the minimum is there, and not where the last of them has it.
func TestOnlyBetterCombinations(t *testing.T) {
	for _, minimum := range []float64{2, 2.5} {
		target := minimum + 1 // less the penalty
		s := newDescent(&reduced{m: 1, d: 1, a: []float64{1, target}, rows: &factor.Tall{}, weight: 1, total: target * target})
		s.l1 = 1
		s.begin()
		var h history
		for k := range remembered + 1 {
			s.coef[0] = 1.5 + float64(k%2)
			s.refresh()
			h.add(s)
		}
		if math.Abs(s.coef[0]-minimum) > 1e-9 || s.residual[0] != target-s.coef[0] {
			t.Errorf("coefficient %v, want %v, residual %v", s.coef[0], minimum, s.residual)
		}
		if h.coef != nil {
			t.Errorf("%d steps are left", len(h.coef))
		}
	}
}
