package svm_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

// cloud returns n rows of d columns, labels of two overlapping classes, targets
// and weights.
func cloud(n, d int, seed uint64) (X *mat.Dense, y []int, target, w []float64) {
	rng := mlcore.NewRand(seed)
	X, y = mat.NewDense(n, d, nil), make([]int, n)
	target, w = make([]float64, n), make([]float64, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, rng.NormFloat64())
		}
		score := math.Sin(2*X.At(i, 0)) + X.At(i, 1)*X.At(i, d-1) + 0.4*rng.NormFloat64()
		if target[i], w[i] = score, 0.1+2*rng.Float64(); score > 0 {
			y[i] = 1
		}
	}
	return X, y, target, w
}

// The Karush-Kuhn-Tucker conditions hold of every row, with what the model's
// methods say of it: α = 0 off the street, between 0 and C on its edge, C in it.
// Some problems are large enough for shrinking, some have a cache of a few rows.
func TestClassifiersKeepTheConditions(t *testing.T) {
	const tolerance = 1e-5
	for seed, c := range []struct {
		n   int
		cfg svm.Config
	}{
		{60, svm.Config{}},
		{60, svm.Config{C: 0.01, Kernel: svm.Linear{}}},
		{400, svm.Config{C: 50, Kernel: svm.RBF{Gamma: 2}}},
		{1500, svm.Config{C: 5}},
		{1500, svm.Config{C: 2, Kernel: svm.Polynomial{Degree: 3, Coef0: 1}}},
		{2500, svm.Config{C: 30, Kernel: svm.RBF{Gamma: 0.3}, CacheMB: 1}},
	} {
		if testing.Short() && c.n > 400 {
			continue // slow under the race detector, which has nothing to see here
		}
		c.cfg.Tol = tolerance
		X, y, _, w := cloud(c.n, 4, uint64(seed))
		m, err := c.cfg.FitClassifier(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatal(err)
		}
		if r := m.Status(); r.Outcome != mlcore.Converged {
			t.Fatalf("problem %d: %+v", seed, r)
		}
		margins, err := m.Margins(X, y)
		if err != nil {
			t.Fatal(err)
		}
		C := c.cfg.C
		if C == 0 {
			C = svm.DefaultC
		}
		alpha, sum := make([]float64, c.n), 0.0
		for k, beta := range m.DualCoef().RawRowView(0) {
			row := m.Support()[k]
			alpha[row] = beta * float64(2*y[row]-1)
			sum += beta
		}
		if math.Abs(sum) > 1e-9*C*float64(c.n) {
			t.Errorf("problem %d: Σ yα = %v", seed, sum)
		}
		for i, a := range alpha {
			margin, top := margins.Functional[i], C*w[i]
			ok := a >= 0 && a <= top
			// The bias may be anywhere in a gap of the tolerance.
			if a < top {
				ok = ok && margin >= 1-1.01*tolerance
			}
			if a > 0 {
				ok = ok && margin <= 1+1.01*tolerance
			}
			if !ok {
				t.Fatalf("problem %d, row %d: α = %v of at most %v, y·f(x) = %v", seed, i, a, top, margin)
			}
		}
	}
}

// Likewise of regression: β = 0 within the tube, ±C outside it.
func TestRegressorsKeepTheConditions(t *testing.T) {
	const tolerance = 1e-5
	for seed, c := range []struct {
		n   int
		cfg svm.Config
	}{
		{60, svm.Config{Epsilon: 0.3}},
		{60, svm.Config{C: 0.05, Kernel: svm.Linear{}}},
		{1500, svm.Config{C: 10, Epsilon: 0.1}},
		{2500, svm.Config{C: 3, Epsilon: 0.2, Kernel: svm.RBF{Gamma: 1}, CacheMB: 1}},
	} {
		if testing.Short() && c.n > 400 {
			continue
		}
		c.cfg.Tol = tolerance
		X, _, y, w := cloud(c.n, 3, uint64(seed))
		m, err := c.cfg.FitRegressor(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		if r := m.Status(); r.Outcome != mlcore.Converged {
			t.Fatalf("problem %d: %+v", seed, r)
		}
		C := c.cfg.C
		if C == 0 {
			C = svm.DefaultC
		}
		beta := make([]float64, c.n)
		for k, b := range m.DualCoef() {
			beta[m.Support()[k]] = b
		}
		for i, b := range beta {
			above, top, give := y[i]-f[i], C*w[i], 1.01*tolerance
			ok := math.Abs(b) <= top
			if b < top {
				ok = ok && above <= c.cfg.Epsilon+give
			}
			if b > -top {
				ok = ok && above >= -c.cfg.Epsilon-give
			}
			if b > 0 {
				ok = ok && above >= c.cfg.Epsilon-give
			}
			if b < 0 {
				ok = ok && above <= -c.cfg.Epsilon+give
			}
			if !ok {
				t.Fatalf("problem %d, row %d: β = %v of at most %v, y - f(x) = %v", seed, i, b, top, above)
			}
		}
	}
}

// The two solvers meet where they solve the same problem. They differ in b only,
// and with each row there is its mirror image here, so that b is 0.
func TestSolversAgree(t *testing.T) {
	X, y, target, w := cloud(200, 3, 9)
	for i := range 100 {
		for j := range 3 {
			X.Set(100+i, j, -X.At(i, j))
		}
		y[100+i], target[100+i], w[100+i] = 1-y[i], -target[i], w[i]
	}
	free := svm.Config{C: 0.5, Kernel: svm.Linear{}, Tol: 1e-8}
	small := svm.LinearConfig{C: 0.5, Tol: 1e-8, MaxIter: 100_000}
	street, err := free.FitClassifier(mlcore.FromMatrix(X, y, w))
	if err != nil {
		t.Fatal(err)
	}
	plane, err := small.FitClassifier(mlcore.FromMatrix(X, y, w))
	if err != nil {
		t.Fatal(err)
	}
	free.Epsilon, small.Epsilon = 0.2, 0.2
	tube, err := free.FitRegressor(mlcore.FromMatrix(X, target, w))
	if err != nil {
		t.Fatal(err)
	}
	line, err := small.FitRegressor(mlcore.FromMatrix(X, target, w))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name             string
		descent, pairs   []float64
		descentB, pairsB float64
		report           mlcore.Status
	}{
		{"classifier", plane.Coef().RawRowView(0), street.Coef().RawRowView(0), plane.Intercept()[0], street.Intercept()[0], plane.Status()},
		{"regressor", line.Coef(), tube.Coef(), line.Intercept(), tube.Intercept(), line.Status()},
	} {
		if c.report.Outcome != mlcore.Converged {
			t.Errorf("%s: %+v", c.name, c.report)
		}
		for j := range c.pairs {
			if math.Abs(c.descent[j]-c.pairs[j]) > 1e-6 {
				t.Errorf("%s: w %v by coordinates, %v by pairs", c.name, c.descent, c.pairs)
			}
		}
		if math.Abs(c.descentB) > 1e-6 || math.Abs(c.pairsB) > 1e-6 {
			t.Errorf("%s: b %v and %v", c.name, c.descentB, c.pairsB)
		}
	}
}
