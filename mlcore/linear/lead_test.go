package linear

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
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
		{"next to no penalty", ElasticNetConfig{Alpha: 1e-9, L1Ratio: 1, Tol: 1e-300, MaxIter: 11}, 11},
		{"next to no share of the lasso", ElasticNetConfig{Alpha: 1e-3, L1Ratio: 1e-300, MaxIter: 11}, 11},
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

// Larger penalties leave what they are asked for as it was: the penalty, the coefficients where
// these are at the minimum already, the residual of the coefficients, and all columns that count.
func TestLeadLeavesNothingBehind(t *testing.T) {
	const n, d = 20, 50
	rng := mlcore.NewRand(4)
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range y {
		for j := range d {
			X.Set(i, j, rng.NormFloat64())
		}
		y[i] = X.At(i, 0) - 2*X.At(i, 1) + rng.NormFloat64()
	}
	cfg := ElasticNetConfig{Alpha: 0.01, L1Ratio: 0.9, Tol: 1e-13}
	for _, start := range []string{"the minimum", "zeros"} {
		s, err := cfg.descent(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		m, err := cfg.model(s, cfg.Alpha)
		if err != nil {
			t.Fatal(err)
		}
		if start == "zeros" {
			clear(s.coef)
			s.refresh()
		}
		before, l1, l2 := s.objective(), s.l1, s.l2
		gap, err := s.lead(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if s.l1 != l1 || s.l2 != l2 {
			t.Errorf("%s: penalties %v and %v, before %v and %v", start, s.l1, s.l2, l1, l2)
		}
		after := s.objective()
		if got := s.gap(); math.Abs(got-gap) > 1e-9*s.p.total {
			t.Errorf("%s: gap %v, want %v", start, gap, got)
		}
		s.refresh()
		if math.Abs(s.objective()-after) > 1e-12*after {
			t.Errorf("%s: the residual is not that of the coefficients: objective %v, want %v", start, after, s.objective())
		}
		if start == "zeros" && !(after < before/2) || !(after <= before*(1+1e-12)) {
			t.Errorf("%s: objective %v, before %v", start, after, before)
		}
		for _, j := range m.NonZero() {
			if !slices.Contains(s.left, j) {
				t.Errorf("%s: column %d counts and is left out", start, j)
			}
			if start == "the minimum" && s.coef[j] != m.Coef()[j] {
				t.Errorf("%s: coefficient %d is %v, want %v", start, j, s.coef[j], m.Coef()[j])
			}
		}
	}
}

// By hand, with A the unit matrix: the larger penalties make the last coefficient 0 and leave its
// column out, but that asked for does not.
func TestLeadTakesColumnsInAgain(t *testing.T) {
	p := &reduced{m: 3, d: 3, a: []float64{1, 0, 0, 100, 0, 1, 0, 10, 0, 0, 1, 1}, rows: &factor.Tall{}, weight: 1, total: 10101}
	s := newDescent(p)
	s.l1 = 0.9
	if _, err := s.lead(ElasticNetConfig{}); err != nil {
		t.Fatal(err)
	}
	if s.coef[0] < 98 || s.coef[2] != 0 {
		t.Errorf("coefficients %v", s.coef)
	}
	if !slices.Equal(s.left, []int{0, 1, 2}) {
		t.Errorf("columns %v are left", s.left)
	}
}

// Larger penalties lead once ten iterations were not enough and there is an eleventh, and only
// where there are fewer rows than columns.
func TestWhenLargerPenaltiesLead(t *testing.T) {
	for _, tc := range []struct {
		n, d, maxIter int
		want          bool
	}{{20, 50, 10, false}, {20, 50, 11, true}, {50, 50, 11, false}, {60, 50, 11, false}} {
		rng := mlcore.NewRand(6)
		X, y := mat.NewDense(tc.n, tc.d, nil), make([]float64, tc.n)
		for i := range y {
			for j := range tc.d {
				X.Set(i, j, rng.NormFloat64())
			}
			y[i] = rng.NormFloat64()
		}
		cfg := ElasticNetConfig{Alpha: 1e-4, L1Ratio: 1, Tol: 1e-300, MaxIter: tc.maxIter}
		s, err := cfg.descent(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		m, err := cfg.model(s, cfg.Alpha)
		if err != nil {
			t.Fatal(err)
		}
		if st := m.Status(); st.Iterations != tc.maxIter || s.led != tc.want {
			t.Errorf("%d x %d, MaxIter %d: larger penalties have led: %v; %v", tc.n, tc.d, tc.maxIter, s.led, st)
		}
	}
}
