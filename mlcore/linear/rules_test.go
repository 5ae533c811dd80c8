package linear_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// Rank deficiency is reported. Of columns a, b = 2a + 1, c, d = a + c and a constant,
// by the rule that the first ones stay b, d and the constant are aliased, and the
// others get the coefficients of a fit to them alone.
func TestAliasedColumns(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5, 6}
	c := []float64{1, -1, 2, 0.5, 0.3, 4}
	X, y := mat.NewDense(6, 5, nil), make([]float64, 6)
	for i := range a {
		X.SetRow(i, []float64{a[i], 2*a[i] + 1, c[i], a[i] + c[i], 0.1})
		y[i] = 3*a[i] - c[i] + 2 + float64(i%2)
	}
	m, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Aliased(); !slices.Equal(got, []int{1, 3, 4}) || m.Fit().Rank != 2 || m.Fit().DegreesOfFreedom != 3 {
		t.Errorf("aliased %v, rank %d, %d degrees of freedom", got, m.Fit().Rank, m.Fit().DegreesOfFreedom)
	}
	small, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(mat.DenseCopyOf(pickColumns(X, 0, 2)), y, nil))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "coefficients", m.Coef(), []float64{small.Coef()[0], 0, small.Coef()[1], 0, 0}, 1e-12)
	for _, term := range m.Terms() {
		undefined := slices.Contains([]int{1, 3, 4}, term.Column)
		if math.IsNaN(term.StdErr) != undefined || math.IsNaN(term.P) != undefined || math.IsNaN(term.Coef) {
			t.Errorf("term %+v", term)
		}
	}
	ridge, err := linear.RidgeConfig{}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ridge.Aliased(), []int{1, 3, 4}) {
		t.Errorf("ridge without a penalty has aliased %v", ridge.Aliased())
	}
	if ridge, err = (linear.RidgeConfig{Alpha: 0.1}).FitRegressor(mlcore.FromMatrix(X, y, nil)); err != nil {
		t.Fatal(err)
	}
	// A constant column has nothing to explain; the others share.
	if coef := ridge.Coef(); coef[1] == 0 || coef[3] == 0 || coef[4] != 0 {
		t.Errorf("ridge's coefficients are %v", coef)
	}
}

// A column that varies by rounding alone, 0.3 here and 0.1 + 0.2 there, is a constant
// one also where a penalty is far too small to say so: its coefficient is 0.
func TestConstantButForRounding(t *testing.T) {
	tenth := 0.1
	X, y := mat.NewDense(200, 2, nil), make([]float64, 200)
	for i := range y {
		X.SetRow(i, []float64{math.Sin(float64(i)), 0.3})
		if i%3 == 0 {
			X.Set(i, 1, tenth+0.2)
		}
		y[i] = X.At(i, 0) + math.Sin(float64(i*i))
	}
	coef := func(m interface{ Coef() []float64 }, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m.Coef()[1]
	}
	for _, alpha := range []float64{0, 1e-20, 1e-15} {
		ridge, err := linear.RidgeConfig{Alpha: alpha}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if got := coef(ridge, err); math.Abs(got) > 1e-6 {
			t.Errorf("ridge with %v: coefficient %v", alpha, got)
		}
		lasso, err := linear.LassoConfig{Alpha: alpha}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if got := coef(lasso, err); got != 0 {
			t.Errorf("lasso with %v: coefficient %v", alpha, got)
		}
	}
}

func pickColumns(X *mat.Dense, cols ...int) *mat.Dense {
	n, _ := X.Dims()
	out := mat.NewDense(n, len(cols), nil)
	for k, j := range cols {
		out.SetCol(k, mat.Col(nil, j, X))
	}
	return out
}

// What is undefined is NaN, and nothing else is.
func TestUndefinedFit(t *testing.T) {
	exact, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(column(1, 2), []float64{3, 5}, nil))
	if err != nil {
		t.Fatal(err)
	}
	f := exact.Fit()
	if f.DegreesOfFreedom != 0 || !math.IsNaN(f.ResidualVariance) || !math.IsNaN(f.AdjustedR2) || !math.IsNaN(f.F) || f.R2 != 1 {
		t.Errorf("two rows, two coefficients: %+v", f)
	}
	for _, term := range exact.Terms() {
		if !math.IsNaN(term.StdErr) || !math.IsNaN(term.P) {
			t.Errorf("two rows, two coefficients: %+v", term)
		}
	}
	near(t, "line through two points", []float64{exact.Intercept(), exact.Coef()[0]}, []float64{1, 2}, 1e-14)
	level, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(column(1, 2, 4), []float64{0.1, 0.1, 0.1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if f := level.Fit(); !math.IsNaN(f.R2) || f.DegreesOfFreedom != 1 {
		t.Errorf("targets that do not vary: %+v", f)
	}
}

// The line through (1, 3), (2, 5), (4, 8) has, by hand, the slope 23/14 and the
// intercept 3/2, and units multiply them and their standard errors. Where squares
// overflow or underflow the error says so: columns are not taken for constant ones,
// nor errors for 0.
func TestUnits(t *testing.T) {
	fit := func(unitX, unitY float64) (*linear.LeastSquares, error) {
		return linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(column(1*unitX, 2*unitX, 4*unitX), []float64{3 * unitY, 5 * unitY, 8 * unitY}, nil))
	}
	one, err := fit(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "slope and intercept", []float64{one.Coef()[0], one.Intercept()}, []float64{23. / 14, 1.5}, 1e-14)
	for _, u := range [][2]float64{{1e-150, 1}, {1e150, 1}, {1, 1e-150}, {1, 1e150}, {1e-70, 1e70}} {
		m, err := fit(u[0], u[1])
		if err != nil {
			t.Fatal(err)
		}
		for i, term := range m.Terms() {
			want, unit := one.Terms()[i], u[1]
			if term.Column == 0 {
				unit /= u[0]
			}
			near(t, fmt.Sprintf("units %v, term %d", u, i), []float64{term.Coef / unit, term.StdErr / unit, term.P}, []float64{want.Coef, want.StdErr, want.P}, 1e-12)
		}
	}
	for _, u := range [][3]any{{1e-170, 1., "column 0"}, {1., 1e-170, "targets"}, {1e160, 1., "column 0"}, {1., 1e160, "targets"}} {
		if _, err := fit(u[0].(float64), u[1].(float64)); !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), u[2].(string)) {
			t.Errorf("units %v: error %v", u, err)
		}
	}
	// Weights bring squares back into the range.
	tiny := []float64{1e-200, 1e-200, 1e-200}
	m, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(column(1e170, 2e170, 4e170), []float64{3, 5, 8}, tiny))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "large values of small weight", []float64{m.Coef()[0] * 1e170, m.Intercept()}, []float64{23. / 14, 1.5}, 1e-13)
	// Squares around the mean are in the range here, those around 0 are not.
	for what, xy := range map[string][2]float64{"column 0": {1e155, 0}, "targets": {0, 1e155}} {
		at, of := xy[0], xy[1]
		_, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(column(at+1e150, at+2e150, at+4e150), []float64{of + 3e150, of + 5e150, of + 8e150}, nil))
		if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s far from 0: error %v", what, err)
		}
	}
	// Where weights have a part in an overflow, the error says so.
	_, err = linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(column(1e10, 2e10, 4e10), []float64{3, 5, 8}, []float64{1e300, 1e300, 1e300}))
	if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), "or the weights") {
		t.Errorf("weights of 1e300: error %v", err)
	}
	// 0 is no underflow.
	if m, err := fit(0, 0); err != nil || len(m.Aliased()) != 1 {
		t.Errorf("zeros: %v", err)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	X, y, classes := column(1, 2, 4), []float64{1, 2, 3}, []int{0, 1, 0}
	regression := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Alpha is -1":               regression(linear.RidgeConfig{Alpha: -1}.FitRegressor(mlcore.FromMatrix(X, y, nil))),
		"Alpha is NaN":              regression(linear.LassoConfig{Alpha: math.NaN()}.FitRegressor(mlcore.FromMatrix(X, y, nil))),
		"L1Ratio is 1.5":            regression(linear.ElasticNetConfig{L1Ratio: 1.5}.FitRegressor(mlcore.FromMatrix(X, y, nil))),
		"Tol is -1":                 regression(linear.LassoConfig{Tol: -1}.FitRegressor(mlcore.FromMatrix(X, y, nil))),
		"MaxIter is -1":             regression(linear.LassoConfig{MaxIter: -1}.FitRegressor(mlcore.FromMatrix(X, y, nil))),
		"list the Alphas":           regression(linear.ElasticNetConfig{}.Path(mlcore.FromMatrix(X, y, nil), linear.PathConfig{})),
		"Alphas[1] is -2":           regression(linear.LassoConfig{}.Path(mlcore.FromMatrix(X, y, nil), linear.PathConfig{Alphas: []float64{1, -2}})),
		"not both":                  regression(linear.LassoConfig{}.Path(mlcore.FromMatrix(X, y, nil), linear.PathConfig{Alphas: []float64{1}, N: 2})),
		"Epsilon is 1":              regression(linear.LassoConfig{}.Path(mlcore.FromMatrix(X, y, nil), linear.PathConfig{Epsilon: 1})),
		"C is -1":                   regression(linear.LogisticConfig{C: -1}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"but there is NoPenal":      regression(linear.LogisticConfig{C: 1, Penalty: linear.NoPenalty}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"but the Penalty is L2":     regression(linear.LogisticConfig{L1Ratio: 0.5}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"no Penalty 9":              regression(linear.LogisticConfig{Penalty: 9}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"no Solver 9":               regression(linear.LogisticConfig{Solver: 9}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"both Balanced and Weights": regression(linear.LogisticConfig{ClassWeight: mlcore.ClassWeight{Balanced: true, Weights: []float64{1, 1}}}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"3 entries for 2":           regression(linear.LogisticConfig{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 1, 1}}}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"Weights[1] is 0":           regression(linear.PerceptronConfig{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 0}}}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"Epochs is -1":              regression(linear.PerceptronConfig{Epochs: -1}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"LearningRate is -1":        regression(linear.PerceptronConfig{LearningRate: -1}.FitClassifier(mlcore.FromMatrix(X, classes, nil))),
		"1000000 classes":           regression(linear.PerceptronConfig{}.FitClassifier(mlcore.FromMatrix(mat.NewDense(3, 300, nil), []int{0, 1, 999999}, nil))),
	} {
		if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	_, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(column(1e200, -1e200, 3), y, nil))
	if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), "column 0") {
		t.Errorf("squares that overflow: error %v", err)
	}
	_, err = linear.LogisticConfig{}.FitClassifier(mlcore.FromMatrix(X, classes, []float64{1, 0, 1}))
	if !errors.Is(err, mlcore.ErrOneClass) {
		t.Errorf("a class whose rows have no weight: error %v", err)
	}
}

// A path that no fit made is empty, and a fit needs a matrix.
func TestPathWithoutModels(t *testing.T) {
	p := new(linear.Path)
	if p.Len() != 0 || !p.Coefs().IsEmpty() || len(p.Alphas()) != 0 || len(p.Intercepts()) != 0 {
		t.Errorf("a zero path holds %v", p)
	}
	if _, err := (linear.LassoConfig{}).Path(mlcore.FromMatrix[float64](nil, nil, nil), linear.PathConfig{}); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("a nil matrix: error %v", err)
	}
}

// Every model of a path knows the columns that it was fitted to.
func TestPathKnowsItsColumns(t *testing.T) {
	ds := mlcore.FromMatrix(column(1, 2, 4), []float64{1, 2, 3}, nil)
	ds.Columns[0].Name = "length"
	p, err := linear.LassoConfig{}.Path(ds, linear.PathConfig{N: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Len() {
		if s := p.Model(i).Schema(); !s.Equal(ds.Schema()) {
			t.Errorf("model %d has the Schema %v, want %v", i, s, ds.Schema())
		}
	}
	ds.Columns[0].Levels = []string{"a", "b", "c", "d", "e"}
	if _, err := (linear.LassoConfig{}).Path(ds, linear.PathConfig{}); !errors.Is(err, mlcore.ErrColumn) {
		t.Errorf("a categorical column: error %v", err)
	}
}

// Separation by hand. At 1, 2 | 3, 4 any threshold between 2 and 3 separates
// completely; with another row of each class at 2.5 only that threshold leaves no
// row on the wrong side, quasi-completely; with a 0 at 3.5 nothing separates.
func TestSeparation(t *testing.T) {
	for _, c := range []struct {
		name string
		X    *mat.Dense
		y    []int
		want mlcore.Outcome
	}{
		{"complete", column(1, 2, 3, 4), []int{0, 0, 1, 1}, mlcore.Separated},
		{"quasi-complete", column(1, 2, 2.5, 2.5, 3, 4), []int{0, 0, 0, 1, 1, 1}, mlcore.Separated},
		{"overlapping", column(1, 2, 3, 3.5, 4), []int{0, 0, 1, 0, 1}, mlcore.Converged},
		{"complete, three classes", column(1, 2, 3, 4, 5, 6), []int{0, 0, 1, 1, 2, 2}, mlcore.Separated},
		{"one of three classes apart", column(1, 2, 3, 4, 9, 10), []int{0, 1, 0, 1, 2, 2}, mlcore.Separated},
		{"overlapping, three classes", column(1, 2, 3, 4, 5, 6, 3, 2.5), []int{0, 1, 0, 1, 2, 1, 2, 2}, mlcore.Converged},
		// Rows 2.655 and 2.661 of classes 2 and 1 are all that keeps class 2 from being apart.
		{"nearly apart, three classes",
			column(-1.879, -1.567, -1.428, -0.595, 0.188, 0.363, 0.431, 0.580, 0.611, 1.026, 1.180, 1.424, 1.992, 2.181, 2.655, 2.661, 2.817, 2.978, 3.675, 3.724, 4.086, 4.087, 4.734),
			[]int{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 2, 2, 2, 2, 2, 2}, mlcore.Converged},
		// Albert & Anderson's third case: a category that only one class has.
		{"a category of one class", mat.NewDense(6, 2, []float64{0, 1, 0, 2, 0, 3, 0, 2.5, 1, 2, 1, 2.2}), []int{0, 1, 0, 1, 1, 1}, mlcore.Separated},
	} {
		for _, solver := range []linear.Solver{linear.Newton, linear.LBFGS} {
			m, err := linear.LogisticConfig{Penalty: linear.NoPenalty, Solver: solver, MaxIter: 1000}.FitClassifier(mlcore.FromMatrix(c.X, c.y, nil))
			if err != nil {
				t.Fatal(err)
			}
			s := m.Status()
			if s.Outcome != c.want {
				t.Errorf("%s, %s: %s, want %s", c.name, solver, s, c.want)
			}
			_, err = m.Inference()
			if (s.Outcome == mlcore.Separated) != errors.Is(err, linear.ErrUndefined) || (s.Outcome == mlcore.Separated) != strings.Contains(s.Advice, "use a penalty") {
				t.Errorf("%s, %s: standard errors: %v; advice %q", c.name, solver, err, s.Advice)
			}
			// A penalty makes a minimum.
			m, err = linear.LogisticConfig{Solver: solver, MaxIter: 1000}.FitClassifier(mlcore.FromMatrix(c.X, c.y, nil))
			if err != nil {
				t.Fatal(err)
			}
			if s := m.Status(); s.Outcome != mlcore.Converged || s.Advice != "" {
				t.Errorf("%s, %s, L2: %s", c.name, solver, s)
			}
		}
	}
}

// Columns of very different scales: L-BFGS runs into its limit and names them;
// Newton's method does not mind.
func TestScalesStallLBFGS(t *testing.T) {
	X, y := noisy(400, 3)
	for i := range y {
		X.Set(i, 1, 1e5*X.At(i, 1))
		X.Set(i, 2, 1e-2*X.At(i, 2))
	}
	c := linear.LogisticConfig{Solver: linear.LBFGS, C: 1e6, Tol: 1e-8, MaxIter: 30}
	m, err := c.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	s := m.Status()
	if s.Outcome == mlcore.Converged || s.Iterations > 30 || len(s.Loss) != s.Iterations+1 {
		t.Errorf("L-BFGS: %s, %d losses", s, len(s.Loss))
	}
	for _, word := range []string{"column 1", "column 2", "StandardScaler"} {
		if !strings.Contains(s.Advice, word) {
			t.Errorf("the advice %q does not mention %s", s.Advice, word)
		}
	}
	c.Solver = linear.Newton
	c.Tol = 1e-6
	if m, err = c.FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil {
		t.Fatal(err)
	}
	if s := m.Status(); s.Outcome != mlcore.Converged {
		t.Errorf("Newton: %s", s)
	}
	// A limit that has nothing to do with scales is advised about as such.
	X, y = noisy(400, 3)
	m, err = linear.LogisticConfig{Solver: linear.LBFGS, MaxIter: 1}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Status(); s.Outcome != mlcore.IterationLimit || !strings.Contains(s.Advice, "raise MaxIter") || !strings.Contains(s.Advice, "smaller C") || !strings.Contains(s.Advice, "solver Newton") {
		t.Errorf("one iteration: %s", s)
	}
	// Without a penalty there is no C to make smaller.
	m, err = linear.LogisticConfig{Penalty: linear.NoPenalty, Solver: linear.Newton, MaxIter: 1}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Status(); s.Outcome != mlcore.IterationLimit || strings.Contains(s.Advice, "C)") || strings.Contains(s.Advice, "Newton") {
		t.Errorf("one iteration without a penalty: %s", s)
	}
}

// Derivatives by the coefficients of columns of small numbers are small wherever
// these are, so that L-BFGS may stop far from the maximum. Units change no
// statistic (statsmodels' Logit gives the same for all of these columns); where
// the fit is too far off to show it, there is no table.
func TestNoStandardErrorsFarFromTheMaximum(t *testing.T) {
	X, y := noisy(400, 3)
	statistics := func(unit float64, c linear.LogisticConfig) ([]float64, error) {
		scaled := mat.NewDense(400, 3, nil)
		scaled.Scale(unit, X)
		c.Penalty = linear.NoPenalty
		m, err := c.FitClassifier(mlcore.FromMatrix(scaled, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		tables, err := m.Inference()
		if err != nil {
			return nil, err
		}
		var z []float64
		for _, term := range tables[0].Terms {
			z = append(z, term.Statistic)
		}
		return z, nil
	}
	want, err := statistics(1, linear.LogisticConfig{Tol: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-3, 1e-6, 1e-9} {
		_, err := statistics(unit, linear.LogisticConfig{Solver: linear.LBFGS})
		if !errors.Is(err, linear.ErrUndefined) || !strings.Contains(err.Error(), "column") || !strings.Contains(err.Error(), "lower Tol") {
			t.Errorf("L-BFGS, columns of %v: error %v", unit, err)
		}
		z, err := statistics(unit, linear.LogisticConfig{Solver: linear.Newton, Tol: 1e-12})
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("Newton, columns of %v", unit), z, want, 1e-2)
	}
}

func TestLossFallsAndIsReported(t *testing.T) {
	X, y := noisy(300, 4)
	target := make([]float64, 300)
	for i, v := range y {
		target[i] = float64(v) + X.At(i, 0)
	}
	var told []mlcore.Progress
	progress := func(p mlcore.Progress) error {
		told = append(told, p)
		return nil
	}
	check := func(name string, s mlcore.Status) {
		t.Helper()
		if len(told) != s.Iterations || len(s.Loss) != s.Iterations+1 || s.Iterations == 0 {
			t.Fatalf("%s: %d iterations, told of %d, %d losses", name, s.Iterations, len(told), len(s.Loss))
		}
		for i, it := range told {
			if it.Step != i+1 || it.Loss != s.Loss[i+1] {
				t.Errorf("%s: told %+v, the loss is %v", name, it, s.Loss[i+1])
			}
			if s.Loss[i+1] > s.Loss[i]*(1+1e-14) {
				t.Errorf("%s: the loss rose from %v to %v", name, s.Loss[i], s.Loss[i+1])
			}
		}
		told = nil
	}
	for _, c := range []linear.LogisticConfig{
		{Solver: linear.Newton}, {Solver: linear.LBFGS},
		{Solver: linear.Newton, Penalty: linear.L1, C: 0.1}, {Solver: linear.LBFGS, Penalty: linear.L1, C: 0.1},
	} {
		c.Progress = progress
		m, err := c.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		check(c.Penalty.String()+", "+c.Solver.String(), m.Status())
	}
	m, err := linear.LassoConfig{Alpha: 0.01, Progress: progress}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	if err != nil {
		t.Fatal(err)
	}
	check("lasso", m.Status())
}

// More rows than a chunk holds, dense and sparse: the same bytes for any number
// of workers.
func TestWorkersOnManyRows(t *testing.T) {
	X, y := noisy(5000, 6)
	sparse := mat.DenseCopyOf(X)
	target := make([]float64, len(y))
	for i := range y {
		target[i] = X.At(i, 0) + X.At(i, 3)
		for j := range 6 {
			if j != i%6 {
				sparse.Set(i, j, 0)
			}
		}
	}
	three := make([]int, len(y))
	for i := range three {
		three[i] = y[i] + i%2
	}
	fits := map[string]func(workers int) (any, error){
		"least squares": func(k int) (any, error) {
			return linear.LeastSquaresConfig{Workers: k}.FitRegressor(mlcore.FromMatrix(X, target, nil))
		},
		"lasso": func(k int) (any, error) {
			return linear.LassoConfig{Alpha: 0.1, Workers: k}.FitRegressor(mlcore.FromMatrix(X, target, nil))
		},
	}
	for name, c := range map[string]linear.LogisticConfig{"Newton": {Solver: linear.Newton}, "LBFGS": {Solver: linear.LBFGS}} {
		for form, x := range map[string]*mat.Dense{"dense": X, "sparse": sparse} {
			for labels, y := range map[string][]int{"two": y, "three": three} {
				fits[name+", "+form+", "+labels+" classes"] = func(k int) (any, error) {
					c := c
					c.Workers = k
					return c.FitClassifier(mlcore.FromMatrix(x, y, nil))
				}
			}
		}
	}
	for name, fit := range fits {
		var first []byte
		for _, workers := range []int{1, 2, 5} {
			m, err := fit(workers)
			if err != nil {
				t.Fatal(err)
			}
			data, err := modelfile.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = data
			} else if !bytes.Equal(first, data) {
				t.Errorf("%s: %d workers make another model than one", name, workers)
			}
		}
	}
}

// Classes without rows are never predicted; two of three that have rows are
// fitted as two.
func TestAbsentClasses(t *testing.T) {
	X, y := noisy(200, 3)
	two, err := linear.LogisticConfig{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	apart := make([]int, len(y))
	for i, v := range y {
		apart[i] = 2 * v // classes 0 and 2
	}
	m, err := linear.LogisticConfig{}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, apart, nil), 4))
	if err != nil {
		t.Fatal(err)
	}
	want, err := two.PredictProba(X)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.PredictProba(X)
	if err != nil {
		t.Fatal(err)
	}
	for i := range y {
		near(t, "probabilities", got.RawRowView(i), []float64{want.At(i, 0), 0, want.At(i, 1), 0}, 1e-14)
		if got.At(i, 1) != 0 || got.At(i, 3) != 0 {
			t.Fatalf("a class without rows has probability %v", got.RawRowView(i))
		}
	}
	p, err := linear.PerceptronConfig{Epochs: 5}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, apart, nil), 4))
	if err != nil {
		t.Fatal(err)
	}
	b := p.Intercept()
	if !math.IsInf(b[1], -1) || !math.IsInf(b[3], -1) || math.IsInf(b[0], 0) || len(p.Mistakes()[1]) != 0 || len(p.Mistakes()[2]) != 5 {
		t.Errorf("intercepts %v, mistakes %v", b, p.Mistakes())
	}
}

// Given factors are sample weights; balanced ones make classes weigh alike.
func TestClassWeights(t *testing.T) {
	X, y := noisy(150, 2)
	w := make([]float64, len(y))
	for i, v := range y {
		w[i] = []float64{2, 0.5}[v]
	}
	a, err := linear.LogisticConfig{ClassWeight: mlcore.ClassWeight{Weights: []float64{2, 0.5}}, Tol: 1e-10}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	b, err := linear.LogisticConfig{Tol: 1e-10}.FitClassifier(mlcore.FromMatrix(X, y, w))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "coefficients", a.Coef().RawMatrix().Data, b.Coef().RawMatrix().Data, 1e-10)
}

// Rosenblatt's rule by hand. Rows (2, 1)+, (-1, 1)-, (1, -1)- in order, rate 1:
//
//	epoch 0: row 0 scores 0, wrong: w = (2, 1), b = 1; row 1 scores -2+1+1 = 0,
//	wrong: w = (3, 0), b = 0; row 2 scores 3, wrong: w = (2, 1), b = -1.
//	epoch 1: row 0 scores 4; row 1 -2; row 2 scores 2-1-1 = 0, wrong:
//	w = (1, 2), b = -2.
//	epoch 2: row 0 scores 2; row 1 scores -1+2-2 = -1; row 2 -3: done.
func TestPerceptronByHand(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{2, 1, -1, 1, 1, -1})
	var told []mlcore.Progress
	c := linear.PerceptronConfig{NoShuffle: true, KeepUpdates: true, Progress: func(p mlcore.Progress) error {
		told = append(told, p)
		return nil
	}}
	m, err := c.FitClassifier(mlcore.FromMatrix(X, []int{1, 0, 0}, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := []linear.PerceptronUpdate{
		{Class: 1, Epoch: 0, Row: 0, Coef: []float64{2, 1}, Intercept: 1},
		{Class: 1, Epoch: 0, Row: 1, Coef: []float64{3, 0}, Intercept: 0},
		{Class: 1, Epoch: 0, Row: 2, Coef: []float64{2, 1}, Intercept: -1},
		{Class: 1, Epoch: 1, Row: 2, Coef: []float64{1, 2}, Intercept: -2},
	}
	same := func(a, b linear.PerceptronUpdate) bool {
		return a.Class == b.Class && a.Epoch == b.Epoch && a.Row == b.Row && slices.Equal(a.Coef, b.Coef) && a.Intercept == b.Intercept
	}
	if got := m.Updates(); !slices.EqualFunc(got, want, same) {
		t.Errorf("updates %+v, want %+v", got, want)
	}
	if got := m.Mistakes(); len(got) != 1 || !slices.Equal(got[0], []int{3, 1, 0}) {
		t.Errorf("mistakes %v, want 3, 1, 0", got)
	}
	for i, p := range told {
		if p.Problem != 0 || p.Problems != 1 || p.Step != i+1 || p.Steps != 1000 || p.Loss != []float64{3, 1, 0}[i] {
			t.Errorf("told %+v", p)
		}
	}
	if len(told) != 3 {
		t.Errorf("told of %d epochs", len(told))
	}
	if s := m.Status(); s.Outcome != mlcore.Converged || s.Iterations != 3 || !slices.Equal(s.Loss, []float64{3, 1, 0}) {
		t.Errorf("status %+v", s)
	}
	scores, err := m.DecisionFunction(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "decision function", scores.RawMatrix().Data, []float64{2, -1, -3}, 0)
}

// XOR is not separable: the perceptron never rests and says so. Rows without
// weight are not shown, and updates name the rows of X.
func TestPerceptronOnXOR(t *testing.T) {
	X := mat.NewDense(5, 2, []float64{9, 9, 0, 0, 0, 1, 1, 0, 1, 1})
	m, err := linear.PerceptronConfig{Epochs: 50, Seed: 3, KeepUpdates: true}.FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 1, 1, 0}, []float64{0, 1, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Status(); s.Outcome != mlcore.IterationLimit || s.Iterations != 50 || s.Advice == "" {
		t.Errorf("status %s", s)
	}
	mistakes := 0
	for _, v := range m.Mistakes()[0] {
		mistakes += v
	}
	if len(m.Updates()) != mistakes {
		t.Errorf("%d updates, %d mistakes", len(m.Updates()), mistakes)
	}
	for _, u := range m.Updates() {
		if u.Row == 0 {
			t.Fatal("a row without weight was shown")
		}
	}
	// The order is the seed's.
	again, err := linear.PerceptronConfig{Epochs: 50, Seed: 4, KeepUpdates: true}.FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 1, 1, 0}, []float64{0, 1, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	if slices.EqualFunc(m.Updates(), again.Updates(), func(a, b linear.PerceptronUpdate) bool { return a.Row == b.Row }) {
		t.Error("two seeds show rows in the same order")
	}
}

// Two columns that are one, and an attribute's one-hot columns with an intercept:
// Newton's method leaves one out and the table of coefficients says which.
func TestAliasedLogistic(t *testing.T) {
	X, y := noisy(100, 2)
	twice := mat.NewDense(100, 3, nil)
	for i := range y {
		twice.SetRow(i, []float64{X.At(i, 0), 2 * X.At(i, 0), X.At(i, 1)})
	}
	c := linear.LogisticConfig{Penalty: linear.NoPenalty, Tol: 1e-9}
	m, err := c.FitClassifier(mlcore.FromMatrix(twice, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	small, err := c.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Inference()
	if err != nil {
		t.Fatal(err)
	}
	want, err := small.Inference()
	if err != nil {
		t.Fatal(err)
	}
	for k, term := range got[0].Terms {
		if term.Column == 1 {
			if term.Coef != 0 || !math.IsNaN(term.StdErr) {
				t.Errorf("the column that is twice another has %+v", term)
			}
			continue
		}
		w := want[0].Terms[min(k, 2)]
		near(t, "term", []float64{term.Coef, term.StdErr}, []float64{w.Coef, w.StdErr}, 1e-8)
	}
	c.Solver = linear.LBFGS
	c.MaxIter = 1000
	if m, err = c.FitClassifier(mlcore.FromMatrix(twice, y, nil)); err != nil {
		t.Fatal(err)
	}
	if _, err = m.Inference(); !errors.Is(err, linear.ErrUndefined) || !strings.Contains(err.Error(), "column 1") {
		t.Errorf("L-BFGS, which shares coefficients: error %v", err)
	}
}

// Queries that no number can answer: 2·1e308 - 2·1e308 is neither 0 nor anything
// else.
func TestPredictionsThatOverflow(t *testing.T) {
	X := mat.NewDense(8, 2, []float64{0, 0, 0, 2, 2, 0, 2, 2, 9, 0, 9, 1, 0, 9, 1, 9})
	Q := mat.NewDense(2, 2, []float64{1, 1, 1.7e308, -1.7e308})
	check := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), "row 1") {
			t.Errorf("%s: error %v", what, err)
		}
	}
	line, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(X, []float64{0, -20, 20, 0, 90, 80, -90, -80}, nil))
	if err != nil {
		t.Fatal(err)
	}
	_, err = line.Predict(Q)
	check("least squares", err)
	for _, y := range [][]int{{0, 0, 1, 1, 1, 1, 0, 0}, {0, 0, 0, 0, 1, 1, 2, 2}} {
		m, err := linear.LogisticConfig{C: 1e8}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.PredictProba(Q)
		check("probabilities", err)
		_, err = m.Predict(Q)
		check("classes", err)
		if p, err := m.PredictProba(Q.Slice(0, 1, 0, 2)); err != nil || math.IsNaN(p.At(0, 0)) {
			t.Errorf("the row before: %v, error %v", p, err)
		}
	}
	// A class without rows has a score of -Inf, which is none.
	m, err := linear.LogisticConfig{}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, []int{0, 0, 0, 0, 1, 1, 2, 2}, nil), 4))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.PredictProba(X); err != nil {
		t.Errorf("an absent class: %v", err)
	}
}

// The ends of L1Ratio are the penalties that have names of their own.
func TestElasticPenaltyAtItsEnds(t *testing.T) {
	X, y := noisy(200, 3)
	fit := func(c linear.LogisticConfig) []float64 {
		c.C, c.Tol = 0.1, 1e-10
		m, err := c.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		return append(m.Coef().RawMatrix().Data, m.Intercept()...)
	}
	near(t, "ratio 0", fit(linear.LogisticConfig{Penalty: linear.ElasticNetPenalty}), fit(linear.LogisticConfig{Penalty: linear.L2}), 1e-9)
	near(t, "ratio 1", fit(linear.LogisticConfig{Penalty: linear.ElasticNetPenalty, L1Ratio: 1}), fit(linear.LogisticConfig{Penalty: linear.L1}), 1e-9)
}

// TestLogisticOfVanishingColumns: without a penalty the coefficient of a column in
// units of 1e-155 is 1e155 times that of the column itself. Its curvature is the
// square, which float64 does not hold: an error, not a coefficient of 0. With a
// penalty 0 is right.
func TestLogisticOfVanishingColumns(t *testing.T) {
	y := []int{0, 1, 0, 1, 1, 0}
	for _, unit := range []float64{1e-155, 1e-200, 1e-300} {
		X := mat.NewDense(6, 1, []float64{1 * unit, 2 * unit, 3 * unit, 4 * unit, 2.5 * unit, 1.5 * unit})
		for _, solver := range []linear.Solver{linear.Newton, linear.LBFGS} {
			if _, err := (linear.LogisticConfig{Penalty: linear.NoPenalty, Solver: solver}).FitClassifier(mlcore.FromMatrix(X, y, nil)); !errors.Is(err, mlcore.ErrNonFinite) {
				t.Errorf("%v, values of %v: error %v, want one that wraps ErrNonFinite", solver, unit, err)
			}
			m, err := linear.LogisticConfig{Solver: solver}.FitClassifier(mlcore.FromMatrix(X, y, nil))
			if err != nil {
				t.Errorf("%v, values of %v: %v", solver, unit, err)
			} else if m.Status().Outcome != mlcore.Converged {
				t.Errorf("%v, values of %v: %v", solver, unit, m.Status())
			}
		}
	}
}

// TestNegligiblePenaltyDoesNotCrawl: with three classes the likelihood is the same
// when a number is added to a column's coefficients of all of them, so that only
// the penalty, here next to nothing, says where they are. Its minimum has
// derivative 0 (by definition) and is to be found in as few steps as any.
func TestNegligiblePenaltyDoesNotCrawl(t *testing.T) {
	r := mlcore.NewRand(3)
	const n, d = 60, 4
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = r.IntN(3)
		for j := range d {
			X.Set(i, j, r.NormFloat64())
		}
		X.Set(i, 0, X.At(i, 0)+float64(y[i]))
	}
	for _, strength := range []float64{1e3, 1e6, 1e9} {
		for _, ratio := range []float64{0.01, 0.5, 1} {
			cfg := linear.LogisticConfig{Penalty: linear.ElasticNetPenalty, C: strength, L1Ratio: ratio, Solver: linear.Newton, Tol: 1e-10, MaxIter: 1000}
			m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
			if err != nil {
				t.Fatal(err)
			}
			if s := m.Status(); s.Outcome != mlcore.Converged || s.Iterations > 30 {
				t.Errorf("C %v, L1Ratio %v: %v", strength, ratio, s)
			}
		}
	}
}

// Of more columns than Newton's method is cheap with, the default solver finds the
// minimum, too: at that of the mean of -log P plus the penalty over C n, worked out here
// from the definition, all derivatives are 0, or none is towards less. Columns have
// different sizes.
func TestManyColumnsReachTheMinimum(t *testing.T) {
	for _, tc := range []struct {
		n, d, classes int
		zeros         float64 // the share of values that are 0
		C, l1Ratio    float64
	}{{600, 65, 2, 0, 1, 0}, {600, 100, 2, 0, 1000, 0}, {500, 40, 4, 0, 1, 0}, {900, 400, 2, 0.9, 10, 0}, {400, 600, 3, 0, 1, 0}, {600, 100, 2, 0, 1, 0.1}} {
		rng := mlcore.NewRand(8)
		X, y := mat.NewDense(tc.n, tc.d, nil), make([]int, tc.n)
		size := make([]float64, tc.d)
		for j := range size {
			size[j] = math.Exp(rng.NormFloat64())
		}
		for i := range tc.n {
			y[i] = rng.IntN(tc.classes)
			for j := range tc.d {
				if rng.Float64() >= tc.zeros {
					X.Set(i, j, size[j]*(rng.NormFloat64()+0.3*float64(y[i]*(j%3))))
				}
			}
		}
		const tol = 1e-6
		m, err := linear.LogisticConfig{Penalty: linear.ElasticNetPenalty, L1Ratio: tc.l1Ratio, C: tc.C, Tol: tol}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		if s := m.Status(); s.Outcome != mlcore.Converged {
			t.Errorf("%+v: %s with %s", tc, s, m.Solver())
		}
		proba, err := m.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		coef := m.Coef()
		rows, _ := coef.Dims()
		for k := range rows {
			class := k
			if rows == 1 {
				class = 1
			}
			for j := range tc.d {
				v, all := coef.At(k, j), 1/(tc.C*float64(tc.n))
				g := v * (1 - tc.l1Ratio) * all
				for i := range tc.n {
					residual := proba.At(i, class)
					if y[i] == class {
						residual--
					}
					g += residual * X.At(i, j) / float64(tc.n)
				}
				switch l1 := tc.l1Ratio * all; {
				case v > 0:
					g += l1
				case v < 0:
					g -= l1
				default:
					g = max(math.Abs(g)-l1, 0)
				}
				if math.Abs(g) > 2*tol {
					t.Fatalf("%+v: the derivative by coefficient %d of class %d is %v", tc, j, class, g)
				}
			}
		}
	}
}
