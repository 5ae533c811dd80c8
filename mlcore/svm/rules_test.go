package svm_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

func TestBadSettings(t *testing.T) {
	X, y, target, _ := cloud(20, 2, 1)
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		cfg  svm.Config
		says string
	}{
		{svm.Config{C: -1}, "C is -1"},
		{svm.Config{C: inf}, "C is +Inf"},
		{svm.Config{C: nan}, "C is NaN"},
		{svm.Config{C: 5e-324, ClassWeight: mlcore.ClassWeight{Weights: []float64{0.1, 1}}}, "C times the weight"},
		{svm.Config{Tol: -1}, "Tol"},
		{svm.Config{Epsilon: -0.1}, "Epsilon"},
		{svm.Config{Epsilon: nan}, "Epsilon"},
		{svm.Config{MaxIter: -1}, "MaxIter"},
		{svm.Config{CacheMB: -1}, "CacheMB"},
		{svm.Config{Folds: 1}, "Folds"},
		{svm.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{1}}}, "1 entries for 2"},
		{svm.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 0}}}, "Weights[1]"},
		{svm.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 1}, Balanced: true}}, "both Balanced and Weights"},
		{svm.Config{Kernel: svm.RBF{Gamma: -1}}, "Gamma"},
		{svm.Config{Kernel: svm.RBF{Gamma: nan}}, "Gamma"},
		{svm.Config{Kernel: svm.Polynomial{Degree: -1}}, "Degree"},
		{svm.Config{Kernel: svm.Polynomial{Coef0: nan}}, "Coef0"},
		{svm.Config{Kernel: svm.KernelFunc(nil)}, "KernelFunc"},
	} {
		_, err := c.cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
		checkSays(t, fmt.Sprintf("%+v", c.cfg), err, mlcore.ErrConfig, c.says)
	}
	for _, c := range []struct {
		cfg  svm.LinearConfig
		says string
	}{
		{svm.LinearConfig{C: -1}, "C is -1"},
		{svm.LinearConfig{Loss: 2}, "Loss 2"},
		{svm.LinearConfig{InterceptScaling: -1}, "InterceptScaling"},
		{svm.LinearConfig{InterceptScaling: 1, NoIntercept: true}, "NoIntercept"},
		{svm.LinearConfig{Tol: nan}, "Tol"},
		{svm.LinearConfig{Epsilon: inf}, "Epsilon"},
		{svm.LinearConfig{MaxIter: -1}, "MaxIter"},
	} {
		_, err := c.cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
		checkSays(t, fmt.Sprintf("%+v", c.cfg), err, mlcore.ErrConfig, c.says)
	}
	_, err := svm.Config{ClassWeight: mlcore.ClassWeight{Balanced: true}}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	checkSays(t, "a balanced regression", err, mlcore.ErrConfig, "for classification")
	_, err = svm.LinearConfig{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 1}}}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	checkSays(t, "a regression with class weights", err, mlcore.ErrConfig, "for classification")
}

func checkSays(t *testing.T, name string, err, want error, says string) {
	t.Helper()
	if !errors.Is(err, want) || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: error %v, want one that wraps %q and says %q", name, err, want, says)
	}
}

// Numbers that overflow are refused, in training and in queries, not turned to NaN.
func TestOverflow(t *testing.T) {
	X, y := mat.NewDense(3, 1, []float64{0, 1, 1e200}), []int{0, 1, 1}
	_, err := svm.Config{Kernel: svm.Linear{}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	checkSays(t, "a row of 1e200", err, mlcore.ErrNonFinite, "row 2")
	_, err = svm.LinearConfig{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	checkSays(t, "a linear row of 1e200", err, mlcore.ErrNonFinite, "row 2")
	m, err := svm.Config{Kernel: svm.Polynomial{Degree: 5}}.FitClassifier(mlcore.FromMatrix(mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Predict(mat.NewDense(2, 1, []float64{1, 1e300}))
	checkSays(t, "a query of 1e300", err, mlcore.ErrNonFinite, "row 1")
	_, err = svm.Config{Kernel: svm.KernelFunc(func(a, b []float64) float64 { return math.NaN() })}.FitClassifier(mlcore.FromMatrix(mat.NewDense(2, 1, nil), []int{0, 1}, nil))
	checkSays(t, "a kernel of NaN", err, mlcore.ErrNonFinite, "row 0")
	far := mlcore.FromMatrix(mat.NewDense(3, 1, []float64{0, 1, 2}), []float64{1e308, -1e308, 1e308}, nil)
	_, err = svm.Config{}.FitRegressor(far)
	checkSays(t, "targets of 1e308", err, mlcore.ErrNonFinite, "the targets")
	_, err = svm.LinearConfig{}.FitRegressor(far)
	checkSays(t, "linear, targets of 1e308", err, mlcore.ErrNonFinite, "the targets")
	// 1/Var(X) cannot be had: nobody has set a Gamma that could be wrong.
	for _, unit := range []float64{1e-200, 1e-160, 1e160} {
		for _, kernel := range []svm.Kernel{nil, svm.RBF{}, svm.Polynomial{}} {
			_, err = svm.Config{Kernel: kernel}.FitClassifier(mlcore.FromMatrix(mat.NewDense(3, 1, []float64{0, unit, 2 * unit}), y, nil))
			checkSays(t, fmt.Sprintf("values of %v, kernel %v", unit, kernel), err, mlcore.ErrNonFinite, "standardise")
		}
	}
	if m, err := (svm.Config{}).FitClassifier(mlcore.FromMatrix(mat.NewDense(3, 1, nil), y, nil)); err != nil || m.Kernel() != (svm.RBF{Gamma: 1}) {
		t.Errorf("values that are all equal: %v", err)
	}
}

// A row of weight 0 changes nothing, however large its numbers are: the oracle is the
// Dataset without it.
func TestDefaultGammaOfWeights(t *testing.T) {
	y := []int{0, 1, 1, 0}
	want, err := svm.Config{}.FitClassifier(mlcore.FromMatrix(mat.NewDense(3, 1, []float64{0, 1, 3}), y[:3], []float64{1, 2, 1}))
	if err != nil {
		t.Fatal(err)
	}
	for _, far := range []float64{1e100, 1e160, -1e300} {
		got, err := svm.Config{}.FitClassifier(mlcore.FromMatrix(mat.NewDense(4, 1, []float64{0, 1, 3, far}), y, []float64{1, 2, 1, 0}))
		if err != nil || got.Kernel() != want.Kernel() {
			t.Errorf("with %v in a row of weight 0: %v, want the kernel %v", far, err, want.Kernel())
		}
	}
}

// A KernelFunc gives the same answers as the kernel that it copies, but its model
// cannot be saved.
func TestKernelFunc(t *testing.T) {
	X, y, _, _ := cloud(80, 3, 2)
	own := svm.KernelFunc(func(a, b []float64) float64 {
		sum := 0.0
		for j := range a {
			sum += float64(a[j] * b[j]) // rounded, as the kernel that it copies does
		}
		base := float64(0.5*sum) + 1
		return base * base
	})
	var f [2]*mat.Dense
	for k, kernel := range []svm.Kernel{own, svm.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1}} {
		m, err := svm.Config{Kernel: kernel, Tol: 1e-9}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		if f[k], err = m.Decision(X); err != nil {
			t.Fatal(err)
		}
		if m.Coef() != nil {
			t.Error("a kernel that is not linear has no w in the space of X")
		}
		for form, write := range map[string]func(any) ([]byte, error){"binary": modelfile.Marshal, "JSON": modelfile.MarshalJSON} {
			if _, err := write(m); (k == 0) != errors.Is(err, mlcore.ErrConfig) {
				t.Errorf("kernel %d, %s: error %v", k, form, err)
			}
		}
	}
	checkClose(t, "decision", f[0].RawMatrix().Data, f[1].RawMatrix().Data)
}

// A class weight is a weight of the rows of the class, in every pair and in the
// rest of every plane; balanced weights are n/(K·n_k).
func TestClassWeightsAreRowWeights(t *testing.T) {
	a := scikitLearn(t)
	X, y := oracle.Matrix(a.X), a.Classes
	counts := make([]float64, 4)
	for _, k := range y {
		counts[k]++
	}
	factors, given, balanced := []float64{1, 3, 0.5, 2}, make([]float64, len(y)), make([]float64, len(y))
	for i, k := range y {
		given[i], balanced[i] = factors[k], float64(len(y))/4/counts[k]
	}
	radial := svm.RBF{Gamma: 0.5}
	for _, c := range []struct {
		name      string
		byClass   func() (*mat.Dense, error)
		byWeights func() (*mat.Dense, error)
	}{
		{"pairs", decisionOf(svm.Config{Kernel: radial, ClassWeight: mlcore.ClassWeight{Weights: factors}, Tol: 1e-10}.FitClassifier, X, y, nil),
			decisionOf(svm.Config{Kernel: radial, Tol: 1e-10}.FitClassifier, X, y, given)},
		{"balanced pairs", decisionOf(svm.Config{Kernel: radial, ClassWeight: mlcore.ClassWeight{Balanced: true}, Tol: 1e-10}.FitClassifier, X, y, nil),
			decisionOf(svm.Config{Kernel: radial, Tol: 1e-10}.FitClassifier, X, y, balanced)},
		{"planes", decisionOf(svm.LinearConfig{Loss: svm.SquaredHinge, ClassWeight: mlcore.ClassWeight{Weights: factors}, Tol: 1e-10}.FitClassifier, X, y, nil),
			decisionOf(svm.LinearConfig{Loss: svm.SquaredHinge, Tol: 1e-10}.FitClassifier, X, y, given)},
	} {
		got, err := c.byClass()
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.byWeights()
		if err != nil {
			t.Fatal(err)
		}
		checkClose(t, c.name, got.RawMatrix().Data, want.RawMatrix().Data)
	}
}

func decisionOf[M interface {
	Decision(mat.Matrix) (*mat.Dense, error)
}](fit func(ds *mlcore.Dataset) (M, error), X *mat.Dense, y []int, w []float64) func() (*mat.Dense, error) {
	return func() (*mat.Dense, error) {
		m, err := fit(mlcore.FromMatrix(X, y, w))
		if err != nil {
			return nil, err
		}
		return m.Decision(X)
	}
}

// One large problem shares out rows of the kernel matrix, many small ones the
// problems; either way the bytes are those of one worker, and a small cache only
// costs time.
func TestWorkersAndCacheDoNotMatter(t *testing.T) {
	X, y, target, _ := cloud(3600, 12, 6)
	for i := range y {
		y[i] += 2 * (i % 2)
	}
	first := mat.DenseCopyOf(X.Slice(0, 600, 0, 12))
	fits := map[string]func(c svm.Config) ([]byte, error){
		"regression": func(c svm.Config) ([]byte, error) {
			c.MaxIter, c.Epsilon = 1050, 0.3
			m, err := c.FitRegressor(mlcore.FromMatrix(X, target, nil))
			if err != nil {
				return nil, err
			}
			return modelfile.Marshal(m)
		},
		"probabilities": func(c svm.Config) ([]byte, error) {
			m, err := c.FitProbClassifier(mlcore.FromMatrix(first, y[:600], nil))
			if err != nil {
				return nil, err
			}
			return modelfile.Marshal(m)
		},
	}
	for name, fit := range fits {
		want, err := fit(svm.Config{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []svm.Config{{Workers: 2}, {Workers: 5, CacheMB: 1}} {
			got, err := fit(c)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %d workers and %d MB make another model", name, c.Workers, c.CacheMB)
			}
		}
	}
}

// Probabilities of iris: those of rows on a class's side are high, they do not
// depend on anything but the seed, and they beat the shares of the classes.
func TestProbabilitiesOfIris(t *testing.T) {
	ds, want := datasetstest.Load(t, "iris"), scikitLearn(t).Iris
	fit := func(seed uint64) (*svm.ProbClassifier, *mat.Dense) {
		m, err := svm.Config{Seed: seed}.FitProbClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.PredictProba(ds.X)
		if err != nil {
			t.Fatal(err)
		}
		return m, p
	}
	m, p := fit(1)
	loss, right := 0.0, 0
	for i, k := range ds.Y {
		row := p.RawRowView(i)
		loss -= math.Log(row[k]) / float64(len(ds.Y))
		if slices.Index(row, slices.Max(row)) == k {
			right++
		}
	}
	// The folds are drawn: scikit-learn's own losses spread by this much from seed
	// to seed. The shares of the classes have a loss of log 3.
	spread := want.Greatest - want.Least
	if loss < want.Least-spread || loss > want.Greatest+spread || right < want.Right-2 {
		t.Errorf("log loss %v, %d of 150 right, scikit-learn %+v", loss, right, want)
	}
	A, B := m.Sigmoids()
	for k := range A {
		if !(A[k] < 0) || B[k]-B[k] != 0 {
			t.Errorf("sigmoid %d: A = %v, B = %v", k, A[k], B[k])
		}
	}
	if _, q := fit(1); !mat.Equal(p, q) {
		t.Error("one seed gives two answers")
	}
	if _, q := fit(2); mat.Equal(p, q) {
		t.Error("another seed draws the same folds")
	}
}

// Progress comes from one goroutine at a time and names every problem; the last
// violation of a pass that converged is within the tolerance.
func TestProgress(t *testing.T) {
	a := scikitLearn(t)
	seen := map[int]mlcore.Progress{}
	_, err := svm.LinearConfig{Workers: 4, Progress: func(p mlcore.Progress) error {
		if p.Problems != 4 || p.Step != seen[p.Problem].Step+1 {
			t.Errorf("%+v after %+v", p, seen[p.Problem])
		}
		seen[p.Problem] = p
		return nil
	}}.FitClassifier(mlcore.FromMatrix(oracle.Matrix(a.X), a.Classes, nil))
	if err != nil {
		t.Fatal(err)
	}
	for k := range 4 {
		if p, ok := seen[k]; !ok || p.Measure > svm.DefaultLinearTol {
			t.Errorf("problem %d: %+v", k, p)
		}
	}
	X, y, _, _ := cloud(300, 3, 1)
	calls := 0
	m, err := svm.Config{C: 100, Progress: func(p mlcore.Progress) error {
		if calls++; p.Problems != 1 || p.Step != 300*calls || !(p.Measure > svm.DefaultTol) {
			t.Errorf("call %d: %+v", calls, p)
		}
		return nil
	}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if calls == 0 || calls > m.Status().Iterations/300 {
		t.Errorf("%d calls in %d iterations", calls, m.Status().Iterations)
	}
}

// Two streets have no common margin.
func TestMarginsOfMoreClasses(t *testing.T) {
	a := scikitLearn(t)
	X := oracle.Matrix(a.X)
	pairs, err := svm.Config{}.FitClassifier(mlcore.FromMatrix(X, a.Classes, nil))
	if err != nil {
		t.Fatal(err)
	}
	_, err = pairs.Margins(X, a.Classes)
	checkSays(t, "pairs", err, mlcore.ErrConfig, "6 streets")
	planes, err := svm.LinearConfig{}.FitClassifier(mlcore.FromMatrix(X, a.Classes, nil))
	if err != nil {
		t.Fatal(err)
	}
	_, err = planes.Margins(X, a.Classes)
	checkSays(t, "planes", err, mlcore.ErrConfig, "4 streets")
	if got := fmt.Sprint(pairs.Pairs()); got != "[[0 1] [0 2] [0 3] [1 2] [1 3] [2 3]]" {
		t.Errorf("pairs %s", got)
	}
}

// TestMoreFoldsThanRows: rows that lack a fold of their own make no difference, so
// any number of folds from the number of rows on leaves out one row at a time.
func TestMoreFoldsThanRows(t *testing.T) {
	X, y, _, _ := cloud(12, 2, 1)
	var want *mat.Dense
	for _, folds := range []int{12, 13, math.MaxInt} {
		m, err := svm.Config{Folds: folds}.FitProbClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !mat.Equal(got, want) {
			t.Errorf("%d folds of 12 rows: other probabilities than with 12", folds)
		}
	}
}
