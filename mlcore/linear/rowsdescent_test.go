package linear

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
)

// The oracle is the descent on the reduced problem, whose minimum is the same: for rows as they
// are, with weights and without, far from 0, beside constant and equal columns, and where the
// rows are reduced on the way.
func TestRowsDescent(t *testing.T) {
	for _, tc := range []struct {
		name               string
		n, d               int
		offset             float64
		weighted, noCentre bool
		alpha, l1Ratio     float64
		reducing           float64 // what that costs; 0: what it is
	}{
		{"few columns active", 900, 450, 0.1, false, false, 0.1, 1, 0},
		{"many columns active", 900, 450, 0.1, false, false, 1e-3, 1, 0},
		{"elastic net", 900, 450, 0.1, false, false, 0.05, 0.5, 0},
		{"far from 0", 900, 450, 1e6, false, false, 0.05, 1, 0},
		{"weights, some 0", 1400, 420, 3, true, false, 0.05, 1, 0},
		{"no intercept", 900, 450, 1, false, true, 0.05, 1, 0},
		{"reduced at once", 900, 450, 2, true, false, 0.01, 1, -1},
		{"reduced on the way", 900, 450, 2, false, false, 1e-3, 1, 3e6},
		{"targets of one value", 900, 450, 2, false, false, 0.01, 1, 0},
		{"more rows than a block of them", 2500, 410, 5, false, false, 0.02, 1, 0},
	} {
		rng := mlcore.NewRand(uint64(tc.n), uint64(tc.d))
		X, y := mat.NewDense(tc.n, tc.d, nil), make([]float64, tc.n)
		var w []float64
		for i := range y {
			row := X.RawRowView(i)
			common := rng.NormFloat64()
			for j := range row {
				row[j] = tc.offset + common/4 + rng.NormFloat64()
			}
			row[5], row[6] = 7, row[4]
			if y[i] = 3; tc.name == "targets of one value" {
				continue
			}
			y[i] += row[0] - 2*row[1] + row[2]/2 + rng.NormFloat64()
			if tc.weighted {
				w = append(w, float64(rng.IntN(3)))
			}
		}
		cfg := ElasticNetConfig{Alpha: tc.alpha, L1Ratio: tc.l1Ratio, NoIntercept: tc.noCentre, Tol: 1e-12}
		p, err := reduce(X, y, w, !tc.noCentre, 2)
		if err != nil {
			t.Fatal(err)
		}
		want, err := cfg.model(newDescent(p), tc.alpha)
		if err != nil {
			t.Fatal(err)
		}
		ds := mlcore.FromMatrix(X, y, w)
		s, err := cfg.descent(ds)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsInf(s.reduceCost, 1) {
			t.Fatalf("%s: the rows were reduced", tc.name)
		}
		if tc.reducing != 0 {
			s.reduceCost = tc.reducing
		}
		got, err := cfg.model(s, tc.alpha)
		if err != nil {
			t.Fatal(err)
		}
		if tc.reducing != 0 && !math.IsInf(s.reduceCost, 1) {
			t.Errorf("%s: the rows were not reduced", tc.name)
		}
		if got.status.Outcome != mlcore.Converged || want.status.Outcome != mlcore.Converged {
			t.Errorf("%s: %v and %v", tc.name, got.status, want.status)
		}
		a, b := got.status.Loss[len(got.status.Loss)-1], want.status.Loss[len(want.status.Loss)-1]
		if math.Abs(a-b) > 1e-7*want.status.Loss[0] {
			t.Errorf("%s: objective %v, want %v", tc.name, a, b)
		}
		// The copy may have a part of the coefficient.
		for _, m := range []*ElasticNet{got, want} {
			m.coef[4], m.coef[6] = m.coef[4]+m.coef[6], 0
		}
		for j, v := range want.coef {
			if math.Abs(got.coef[j]-v) > 1e-7 {
				t.Errorf("%s: coefficient %d is %v, want %v", tc.name, j, got.coef[j], v)
			}
		}
		if !tc.noCentre && got.coef[5] != 0 || math.Abs(got.intercept-want.intercept) > 1e-7*(1+math.Abs(tc.offset)) {
			t.Errorf("%s: constant column %v, intercept %v, want %v", tc.name, got.coef[5], got.intercept, want.intercept)
		}
	}
}

// A part that all columns have in common makes coordinate descent creep: scikit-learn 1.9's
// takes 235 sweeps and more for the first of these, and more than its 1,000 for the second.
// The oracle is what a minimum has to fulfil: the product of the residual with a column is
// n·Alpha times the sign of its coefficient, or less where that is 0.
func TestCommonPart(t *testing.T) {
	const tol = 1e-12
	for _, tc := range []struct {
		name    string
		n, d    int
		count   int // columns with a coefficient
		alpha   float64
		l1Ratio float64
		most    int // iterations
	}{
		{"a quarter of the columns count", 2000, 450, 112, 0.1, 1, 30},
		{"all columns count", 2000, 450, 450, 0.1, 1, 60},
		{"few columns", 300, 60, 60, 0.1, 1, 60},
		{"fewer rows than columns", 150, 300, 100, 0.1, 1, 60},
		{"elastic net", 150, 300, 100, 0.1, 0.9, 60},
		{"elastic net with more coefficients than rows", 60, 300, 300, 0.1, 0.05, 60},
		{"more coefficients on the way than rows", 60, 100, 100, 1e-3, 1, 120},
	} {
		rng := mlcore.NewRand(uint64(tc.n), uint64(tc.d))
		X, y := mat.NewDense(tc.n, tc.d, nil), make([]float64, tc.n)
		coef := make([]float64, tc.d)
		for j := range tc.count {
			coef[j] = rng.NormFloat64()
		}
		for i := range y {
			row, common := X.RawRowView(i), rng.NormFloat64()/2
			for j := range row {
				row[j] = common + rng.NormFloat64()
				y[i] += row[j] * coef[j]
			}
			y[i] += rng.NormFloat64()
		}
		m, err := ElasticNetConfig{Alpha: tc.alpha, L1Ratio: tc.l1Ratio, NoIntercept: true, Tol: tol}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		st := m.Status()
		if st.Outcome != mlcore.Converged || st.Iterations > tc.most {
			t.Errorf("%s: %v after %d iterations with a measure of %v", tc.name, st.Outcome, st.Iterations, st.Measure)
		}
		squares := 0.0
		for i, v := range y {
			squares += v * v
			for j, b := range m.Coef() {
				y[i] -= X.At(i, j) * b
			}
		}
		// The gap is at least half the square of what is missing, over the column's.
		for j, b := range m.Coef() {
			square, product := 0.0, 0.0
			for i, v := range y {
				square += X.At(i, j) * X.At(i, j)
				product += X.At(i, j) * v
			}
			product -= float64(tc.n) * tc.alpha * (1 - tc.l1Ratio) * b
			want := float64(tc.n) * tc.alpha * tc.l1Ratio
			off := math.Abs(product) - want
			if b != 0 {
				off = math.Abs(product - math.Copysign(want, b))
			}
			if off > 3*math.Sqrt(tol*squares*square) {
				t.Errorf("%s: column %d, coefficient %v: product %v, want %v", tc.name, j, b, product, want)
				break
			}
		}
	}
}

// By hand, where to reduce costs 1000, each iteration 100 and the gap is to be e^-18: what is left
// follows from the last half of what was spent.
func TestWhenRowsAreReduced(t *testing.T) {
	const tol = -18
	for _, tc := range []struct {
		name string
		log  func(k float64) float64 // of the gap after iteration k
		want int                     // iteration after which they are; 0: never
	}{
		{"fast", func(k float64) float64 { return -2 * k }, 0},
		{"slow", func(k float64) float64 { return -k / 10 }, 5}, // half of the cost first
		{"not at all", func(k float64) float64 { return 0 }, 5},
		// After 6 the logarithm is -8.75 and was -6 after 3: what is left costs 300·9.25/2.75.
		{"fast at first", func(k float64) float64 { return max(-2*k, -8-k/8) }, 6},
		{"slow at first", func(k float64) float64 { return min(-k/2, 4-2*k) }, 0},
		// What is left seems to cost a sixth of what was spent, again and again.
		{"ever slower", func(k float64) float64 { return tol + 18/(k*k) }, 21}, // twice the cost
	} {
		X, y := mat.NewDense(4, 2, []float64{1, 2, 3, 5, 8, 13, 21, 34}), []float64{1, 0, 0, 1}
		p, err := summedOf(&factor.Tall{X: X, Last: y, NoProducts: true}, nil, true)
		if err != nil {
			t.Fatal(err)
		}
		s, got := rowsDescent(p), 0
		s.reduceCost = 1000
		for k := 1; tc.log(float64(k)) > tol && k < 30; k++ {
			s.spent = 100 * float64(k)
			if s.toReduced(math.Exp(tc.log(float64(k))), math.Exp(tol)); math.IsInf(s.reduceCost, 1) {
				got = k
				break
			}
		}
		if got != tc.want {
			t.Errorf("%s: after iteration %d, want %d", tc.name, got, tc.want)
		}
	}
}

// By hand: columns that tell nothing have coefficients of 0, and the intercept is the mean, also
// of targets of one value, where nothing is left to reduce.
func TestConstantColumnsAlone(t *testing.T) {
	for _, d := range []int{1, 2, 5} {
		for _, value := range []float64{0, 3} {
			for _, slope := range []float64{1, 0} {
				X, y := mat.NewDense(12, d, nil), make([]float64, 12)
				X.Apply(func(_, _ int, _ float64) float64 { return value }, X)
				for i := range y {
					y[i] = 5.5 + slope*(float64(i)-5.5)
				}
				ds := mlcore.FromMatrix(X, y, nil)
				for _, alpha := range []float64{0, 0.1} {
					m, err := ElasticNetConfig{Alpha: alpha, L1Ratio: 0.5}.FitRegressor(ds)
					if err != nil {
						t.Errorf("%d columns of %v, slope %v, Alpha %v: %v", d, value, slope, alpha, err)
					} else if m.NonZero() != nil || m.Intercept() != 5.5 {
						t.Errorf("%d columns of %v, slope %v, Alpha %v: %v and %v", d, value, slope, alpha, m.Coef(), m.Intercept())
					}
				}
				path, err := LassoConfig{}.Path(ds, PathConfig{Alphas: []float64{1, 0.1, 0}})
				if err != nil || path.Len() != 3 {
					t.Errorf("%d columns of %v, slope %v: a path of %v", d, value, slope, err)
				}
			}
		}
	}
}

// The oracle is the documented objective, worked out from the rows: on the rows, reduced, and
// of a wide problem, with weights and without.
func TestLossIsTheObjective(t *testing.T) {
	for _, tc := range []struct{ n, d int }{{500, 420}, {90, 7}, {20, 50}} {
		for _, weighted := range []bool{false, true} {
			rng := mlcore.NewRand(uint64(tc.d))
			X, y := mat.NewDense(tc.n, tc.d, nil), make([]float64, tc.n)
			var w []float64
			total := 0.0
			for i := range y {
				for j := range tc.d {
					X.Set(i, j, rng.NormFloat64())
				}
				y[i] = 2 + X.At(i, 0) - X.At(i, 1) + rng.NormFloat64()
				weight := 1.0
				if weighted {
					weight = float64(1 + rng.IntN(3))
					w = append(w, weight)
				}
				total += weight
			}
			cfg := ElasticNetConfig{Alpha: 0.1, L1Ratio: 0.7}
			m, err := cfg.FitRegressor(mlcore.FromMatrix(X, y, w))
			if err != nil {
				t.Fatal(err)
			}
			at, err := m.Predict(X)
			if err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for i, v := range at {
				weight := 1.0
				if weighted {
					weight = w[i]
				}
				want += weight * (y[i] - v) * (y[i] - v) / (2 * total)
			}
			for _, b := range m.Coef() {
				want += cfg.Alpha * (cfg.L1Ratio*math.Abs(b) + (1-cfg.L1Ratio)/2*b*b)
			}
			loss := m.Status().Loss
			if got := loss[len(loss)-1]; math.Abs(got-want) > 1e-12*want {
				t.Errorf("%d x %d, weighted %v: loss %v, want %v", tc.n, tc.d, weighted, got, want)
			}
		}
	}
}

// By hand, with A the unit matrix: along a step that is good the search goes to its end, over a
// sign as far as 0, back by halves where the end is too far, and nowhere where all leads up.
func TestLineSearch(t *testing.T) {
	for _, tc := range []struct {
		name                     string
		target, coef, step, want []float64
	}{
		{"to the end", []float64{3, 5}, []float64{1, 1}, []float64{1, 3}, []float64{2, 4}},
		{"as far as 0", []float64{0, 5}, []float64{1, 1}, []float64{-3, 3}, []float64{0, 4}},
		{"half", []float64{0, 5}, []float64{1, 1}, []float64{-20, 12}, []float64{0, 7}},
		{"to where the first is 0", []float64{0, 5}, []float64{1, 4}, []float64{-2, 3}, []float64{0, 5.5}},
		{"nowhere, beyond 0", []float64{2, 5}, []float64{1, 4.9}, []float64{-2, 100}, []float64{1, 4.9}},
		{"nowhere", []float64{3, 5}, []float64{2, 4}, []float64{-1, -1}, []float64{2, 4}},
		{"no number", []float64{3, 5}, []float64{2, 4}, []float64{math.NaN(), 1}, []float64{2, 4}},
	} {
		p := &reduced{m: 2, d: 2, a: []float64{1, 0, tc.target[0], 0, 1, tc.target[1]}, rows: &factor.Tall{}, weight: 1}
		p.total = tc.target[0]*tc.target[0] + tc.target[1]*tc.target[1]
		s := newDescent(p)
		s.l1 = 1
		copy(s.coef, tc.coef)
		s.refresh()
		s.lineSearch([]int{0, 1}, tc.step)
		for j, v := range tc.want {
			if s.coef[j] != v || s.residual[j] != tc.target[j]-v {
				t.Errorf("%s: coefficients %v, want %v, residual %v", tc.name, s.coef, tc.want, s.residual)
				break
			}
		}
	}
}

// The oracle is the definition: the moments without products are those with them, and the
// columns those of the rows less the means, times the roots of the weights.
func TestColumnsOfRows(t *testing.T) {
	rng := mlcore.NewRand(4)
	const n, d = 2300, 11
	X, y, w := mat.NewDense(n, d, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(j)+rng.NormFloat64())
		}
		y[i], w[i] = rng.NormFloat64(), float64(1+rng.IntN(4))
	}
	with := &factor.Tall{X: X, Last: y, Weights: w, Workers: 2}
	without := &factor.Tall{X: X, Last: y, Weights: w, Workers: 2, NoProducts: true}
	want, got := with.Centre(), without.Centre()
	all := without.Transposed()
	for j := range d + 1 {
		if math.Abs(got.Square[j]-want.Square[j]) > 1e-12*want.Square[j] || math.Abs(without.Mean[j]-with.Mean[j]) > 1e-13 {
			t.Errorf("column %d: %v around %v, want %v around %v", j, got.Square[j], without.Mean[j], want.Square[j], with.Mean[j])
		}
		for i := range n {
			v := y[i]
			if j < d {
				v = X.At(i, j)
			}
			if want := (v - without.Mean[j]) * math.Sqrt(w[i]); math.Abs(all[j*n+i]-want) > 1e-14 {
				t.Fatalf("column %d, row %d: %v, want %v", j, i, all[j*n+i], want)
			}
		}
	}
	if got.Product != nil {
		t.Error("products that nobody asked for")
	}
}
