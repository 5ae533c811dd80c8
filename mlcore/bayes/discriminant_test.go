package bayes_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"gonum.org/v1/gonum/mat"
)

// Two classes of variance 1 around -2 and 2, by hand: the border lies where
// 4x + log(P(1)/P(0)) = 0.
func TestLinearDiscriminantByHand(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{-3, -1, 1, 3}), []int{0, 0, 1, 1}, nil)
	for _, c := range []struct {
		prior []float64
		at    float64
	}{{nil, 0}, {[]float64{0.2, 0.8}, -math.Log(4) / 4}} {
		m, err := bayes.LinearDiscriminantConfig{Prior: bayes.Prior{Given: c.prior}}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.PredictProba(mat.NewDense(2, 1, []float64{c.at, c.at + 1}))
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 / (1 + math.Exp(-4)); math.Abs(p.At(0, 1)-0.5) > 1e-12 || math.Abs(p.At(1, 1)-want) > 1e-12 {
			t.Errorf("prior %v: P(1) is %v at the border and %v at 1 above, want 0.5 and %v", c.prior, p.At(0, 1), p.At(1, 1), want)
		}
		coef, b := m.Coef(), m.Intercept()
		if border := -(b[1] - b[0]) / (coef.At(1, 0) - coef.At(0, 0)); math.Abs(border-c.at) > 1e-12 {
			t.Errorf("prior %v: by Coef and Intercept the border is %v, want %v", c.prior, border, c.at)
		}
	}
}

// Variances 1 and 4 around 0, by hand: the densities are equal where
// x²(1/1 - 1/4)/2 = log 2.
func TestQuadraticDiscriminantByHand(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{-1, 1, -2, 2}), []int{0, 0, 1, 1}, nil)
	m, err := bayes.QuadraticDiscriminantConfig{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	x := math.Sqrt(math.Log(2) / 0.375)
	p, err := m.PredictProba(mat.NewDense(3, 1, []float64{x, -x, 0}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.5, 0.5, 2.0 / 3} {
		if got := p.At(i, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d: P(0) = %v, want %v", i, got, want)
		}
	}
}

// rows of three classes around different means.
func threeClasses(n, d int) (X *mat.Dense, y []int) {
	rng := mlcore.NewRand(9)
	X = mat.NewDense(n, d, nil)
	for i := range n {
		y = append(y, i%3)
		for j := range d {
			X.Set(i, j, math.Floor(64*(rng.NormFloat64()+float64(2*(i%3)*(j%2))))/64)
		}
	}
	return X, y
}

// Probabilities do not depend on where the origin is, nor on the units of the columns
// where nothing is shrunk. Moving whole numbers of 64ths by 2^30 rounds nothing.
func TestDiscriminantsKnowNoOrigin(t *testing.T) {
	X, y := threeClasses(90, 4)
	moved := mat.DenseCopyOf(X)
	moved.Apply(func(_, j int, v float64) float64 { return v + float64(1-j)*0x1p30 }, X)
	scaled := mat.DenseCopyOf(X)
	scaled.Apply(func(_, j int, v float64) float64 { return math.Ldexp(v, 150*(j-1)) }, X)
	fits := map[string]func(ds *mlcore.Dataset) (mlcore.ProbClassifier, error){
		"linear": func(ds *mlcore.Dataset) (mlcore.ProbClassifier, error) {
			return bayes.LinearDiscriminantConfig{}.FitClassifier(ds)
		},
		"shrunk": func(ds *mlcore.Dataset) (mlcore.ProbClassifier, error) {
			return bayes.LinearDiscriminantConfig{Shrinkage: 0.3}.FitClassifier(ds)
		},
		"quadratic": func(ds *mlcore.Dataset) (mlcore.ProbClassifier, error) {
			return bayes.QuadraticDiscriminantConfig{}.FitClassifier(ds)
		},
	}
	for name, fit := range fits {
		var first *mat.Dense
		for place, rows := range map[string]*mat.Dense{"moved": moved, "scaled": scaled} {
			if name == "shrunk" && place == "scaled" {
				continue
			}
			m, err := fit(mlcore.FromMatrix(X, y, nil))
			if err != nil {
				t.Fatal(err)
			}
			if first, err = m.PredictProba(X); err != nil {
				t.Fatal(err)
			}
			if m, err = fit(mlcore.FromMatrix(rows, y, nil)); err != nil {
				t.Fatalf("%s, %s: %v", name, place, err)
			}
			p, err := m.PredictProba(rows)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.EqualApprox(p, first, 1e-6) { // a mean of numbers of 2^31 is within 1e-7
				t.Errorf("%s, %s columns: other probabilities", name, place)
			}
		}
	}
}

// Rows far from 0 keep the last digits of their classes' means, column by column, whatever
// the number of goroutines that centre them. What the means are is known: each class stands
// symmetrically around its own.
func TestDiscriminantsOfManyColumnsFarAway(t *testing.T) {
	const n, d, K = 240, 30, 3
	rng := mlcore.NewRand(21)
	X, y, means := mat.NewDense(n, d, nil), make([]int, n), mat.NewDense(K, d, nil)
	for k := range K {
		for j := range d {
			means.Set(k, j, math.Ldexp(1, 46)+float64(5*j+7*k)+0.25)
		}
	}
	for i := 0; i < n; i += 2 {
		k := i / 2 % K
		y[i], y[i+1] = k, k
		for j := range d {
			off := float64(rng.IntN(4000)) / 64
			X.Set(i, j, means.At(k, j)+off)
			X.Set(i+1, j, means.At(k, j)-off)
		}
	}
	var first *bayes.LinearDiscriminant
	for _, workers := range []int{1, 2, 3, 8} {
		m, err := bayes.LinearDiscriminantConfig{Workers: workers}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Means(); !mat.Equal(got, means) {
			t.Errorf("%d goroutines: means that differ by up to %v", workers, maxDifference(got, means))
		}
		if first == nil {
			first = m
		} else if !mat.Equal(m.Coef(), first.Coef()) || !slices.Equal(m.Intercept(), first.Intercept()) {
			t.Errorf("%d goroutines: other coefficients", workers)
		}
	}
	// Near 0 the classes are the same.
	near := mat.NewDense(n, d, nil)
	near.Apply(func(_, _ int, v float64) float64 { return v - math.Ldexp(1, 46) }, X)
	m, err := bayes.LinearDiscriminantConfig{}.FitClassifier(mlcore.FromMatrix(near, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if scale := mat.Norm(m.Coef(), 2); maxDifference(m.Coef(), first.Coef()) > 1e-9*scale {
		t.Errorf("coefficients differ by %v, of norm %v", maxDifference(m.Coef(), first.Coef()), scale)
	}
}

func maxDifference(a, b *mat.Dense) float64 {
	var diff mat.Dense
	diff.Sub(a, b)
	return max(mat.Max(&diff), -mat.Min(&diff))
}

// Where a class does not vary, shrinkage and RegParam still give an answer; a column
// that is nothing but rounding is a constant one.
func TestDiscriminantsOfConstantColumns(t *testing.T) {
	X, y := threeClasses(90, 4)
	without := mat.NewDense(90, 3, nil)
	for i := range y {
		without.SetRow(i, []float64{X.At(i, 0), X.At(i, 1), X.At(i, 3)})
	}
	for _, v := range []float64{1, -1} {
		flat := mat.DenseCopyOf(X)
		for i := range y {
			flat.Set(i, 2, v+math.Copysign(float64(i/3%2)*0x1p-52, v)) // and the next number
		}
		a, err := bayes.LinearDiscriminantConfig{}.FitClassifier(mlcore.FromMatrix(flat, y, nil))
		b, err2 := bayes.LinearDiscriminantConfig{}.FitClassifier(mlcore.FromMatrix(without, y, nil))
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		pa, err := a.PredictProba(flat)
		pb, err2 := b.PredictProba(without)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if !mat.EqualApprox(pa, pb, 1e-12) {
			t.Error("a constant column changes probabilities")
		}
		for _, c := range []bayes.LinearDiscriminantConfig{{Shrinkage: 0.3}, {Shrinkage: 1}} {
			if _, err := c.FitClassifier(mlcore.FromMatrix(flat, y, nil)); err != nil {
				t.Errorf("Shrinkage %v: %v", c.Shrinkage, err)
			}
		}
		for _, r := range []float64{1e-3, 1} {
			if _, err := (bayes.QuadraticDiscriminantConfig{RegParam: r}).FitClassifier(mlcore.FromMatrix(flat, y, nil)); err != nil {
				t.Errorf("RegParam %v: %v", r, err)
			}
		}
	}
}

// A query beyond the range of the functions belongs to the class on its side.
func TestDiscriminantsFromAfar(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(6, 1, []float64{-3, -1, 0, 2, 4, 6}), []int{0, 0, 1, 1, 2, 2}, nil)
	m, err := bayes.LinearDiscriminantConfig{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	X := mat.NewDense(2, 1, []float64{-math.MaxFloat64, math.MaxFloat64})
	p, err := m.PredictProba(X)
	if err != nil || p.At(0, 0) != 1 || p.At(1, 2) != 1 {
		t.Errorf("probabilities %v (%v), want 1 of class 0 and of class 2", mat.Formatted(p), err)
	}
	q, err := bayes.QuadraticDiscriminantConfig{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = q.PredictProba(X); err != nil || math.Abs(p.At(0, 0)+p.At(0, 1)+p.At(0, 2)-1) > 1e-12 {
		t.Errorf("probabilities %v (%v)", p, err)
	}
}

func TestDiscriminantsRefuse(t *testing.T) {
	X, y := threeClasses(30, 4)
	good := mlcore.FromMatrix(X, y, nil)
	still := mlcore.FromMatrix(mat.NewDense(3, 1, []float64{1, 2, 3}), []int{0, 1, 2}, nil)
	wideX, wideY := threeClasses(30, 12)
	copied := mat.DenseCopyOf(X)
	copied.SetCol(3, mat.Col(nil, 1, X))
	linear := func(c bayes.LinearDiscriminantConfig, ds *mlcore.Dataset) error {
		_, err := c.FitClassifier(ds)
		return err
	}
	quadratic := func(c bayes.QuadraticDiscriminantConfig, ds *mlcore.Dataset) error {
		_, err := c.FitClassifier(ds)
		return err
	}
	for _, c := range []struct {
		name string
		err  error
		says string
	}{
		{"Shrinkage", linear(bayes.LinearDiscriminantConfig{Shrinkage: 1.5}, good), "Shrinkage is 1.5"},
		{"Tol", linear(bayes.LinearDiscriminantConfig{Tol: -1}, good), "Tol is -1"},
		{"one row a class", linear(bayes.LinearDiscriminantConfig{}, still), "no column varies within a class"},
		{"one row a class, shrunk", linear(bayes.LinearDiscriminantConfig{Shrinkage: 0.5}, still), "no column varies"},
		{"RegParam", quadratic(bayes.QuadraticDiscriminantConfig{RegParam: math.NaN()}, good), "RegParam is NaN"},
		{"few rows", quadratic(bayes.QuadraticDiscriminantConfig{}, mlcore.FromMatrix(wideX, wideY, nil)), "class 0 (0) has no inverse: it has 10 rows and 12 columns; raise RegParam"},
		{"a copied column", quadratic(bayes.QuadraticDiscriminantConfig{}, mlcore.FromMatrix(copied, y, nil)), "column 3 (x3) is constant in it or depends"},
	} {
		if !errors.Is(c.err, mlcore.ErrConfig) || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: error %v, want ErrConfig that says %q", c.name, c.err, c.says)
		}
	}
	one, err := bayes.LinearDiscriminantConfig{}.FitClassifier(mlcore.FromMatrix(X, make([]int, 30), nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.Project(X); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("a projection without discriminants: %v", err)
	}
	if !one.Scalings().IsEmpty() || len(one.ExplainedVarianceRatio()) != 0 {
		t.Error("a model of one class has discriminants")
	}
}

// More columns than rows: the classes are told apart all the same.
func TestDiscriminantsOfWideRows(t *testing.T) {
	X, y := threeClasses(30, 200)
	ds := mlcore.FromMatrix(X, y, nil)
	m, err := bayes.LinearDiscriminantConfig{Shrinkage: 0.5}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Predict(X); err != nil || !slices.Equal(got, y) {
		t.Errorf("linear: classes %v (%v)", got, err)
	}
	q, err := bayes.QuadraticDiscriminantConfig{RegParam: 0.5}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := q.Predict(X); err != nil || !slices.Equal(got, y) {
		t.Errorf("quadratic: classes %v (%v)", got, err)
	}
}

// The decision function keeps apart rows whose probabilities are all 1. The oracle is the
// formula: differences of joint log-likelihoods.
func TestDecisionFunctionOfDiscriminants(t *testing.T) {
	for _, k := range []int{2, 3} {
		X, y := threeClasses(60, 2)
		for i := range y {
			y[i] %= k
		}
		ds := mlcore.FromMatrix(X, y, nil)
		linear, err := bayes.LinearDiscriminantConfig{}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		quadratic, err := bayes.QuadraticDiscriminantConfig{}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		coef, intercept := linear.Coef(), linear.Intercept()
		for _, far := range []float64{1, 1e3, 1e200} {
			rows := mat.NewDense(4, 2, []float64{0, 1, 2, 3, far, 2, 3 * far, -far})
			joint, err := quadratic.PredictJointLogProba(rows)
			if err != nil {
				t.Fatal(err)
			}
			for name, m := range map[string]interface {
				mlcore.ProbClassifier
				DecisionFunction(X mat.Matrix) (*mat.Dense, error)
			}{"linear": linear, "quadratic": quadratic} {
				f, err := m.DecisionFunction(rows)
				if err != nil {
					t.Fatal(err)
				}
				labels, err := m.Predict(rows)
				if err != nil {
					t.Fatal(err)
				}
				if _, columns := f.Dims(); columns != map[int]int{2: 1, 3: 3}[k] {
					t.Fatalf("%s, %d classes: %d columns", name, k, columns)
				}
				for i := range 4 {
					want := make([]float64, k)
					for c := range k {
						if want[c] = joint.At(i, c); name == "linear" {
							want[c] = mat.Dot(rows.RowView(i), coef.RowView(c)) + intercept[c]
						}
					}
					if k == 2 {
						want = []float64{want[1] - want[0]}
					}
					for c, v := range want {
						v = max(-math.MaxFloat64, min(v, math.MaxFloat64))
						if got := f.At(i, c); !(math.Abs(got-v) <= 1e-9*max(1, math.Abs(v))) {
							t.Errorf("%s, %d classes, row %d of %v: %v, want %v", name, k, i, far, got, v)
						}
					}
					if k == 2 && labels[i] == 1 != (f.At(i, 0) > 0) {
						t.Errorf("%s, row %d of %v: class %d of the log odds %v", name, i, far, labels[i], f.At(i, 0))
					}
				}
			}
		}
	}
	X, y := threeClasses(60, 2)
	X.Scale(1e-10, X)
	for i := range y {
		y[i] %= 2
	}
	m, err := bayes.LinearDiscriminantConfig{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.DecisionFunction(mat.NewDense(2, 2, []float64{1e300, 0, -1e300, 0}))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := f.At(0, 0), f.At(1, 0); math.Abs(a) != math.MaxFloat64 || b != -a {
		t.Errorf("log odds that overflow: %v and %v, want the greatest float64 and its opposite", a, b)
	}
}
