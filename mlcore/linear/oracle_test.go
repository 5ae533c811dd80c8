package linear_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// peers holds the answers of scikit-learn, statsmodels and scipy, made by
// scripts/oracles/linear.py; the file holds versions.
type peers struct {
	Regression []struct {
		X    [][]float64
		Y, W []float64
		Fits []struct {
			Kind                string
			Weighted, Intercept bool
			Alpha               float64
			L1Ratio             float64 `json:"l1_ratio"`
			Coef                []float64
			Offset              float64
		}
		Path struct {
			L1Ratio float64 `json:"l1_ratio"`
			Alphas  []float64
			Coefs   [][]float64
		}
	}
	Inference struct {
		X    [][]float64
		Y, W []float64
		Fits []struct {
			Weighted, Intercept bool
			terms
			R2               float64
			AdjustedR2       float64 `json:"adjusted_r2"`
			F, FP            float64
			ResidualVariance float64 `json:"residual_variance"`
			RSS              float64
			DF               int
		}
	}
	Logistic []struct {
		X, Queries [][]float64
		Y          []int
		W          []float64
		Fits       []struct {
			Penalty                       string
			C                             float64
			L1Ratio                       float64 `json:"l1_ratio"`
			Weighted, Balanced, Intercept bool
			Coef, Proba                   [][]float64
			Offset                        []float64
		}
		Inference, Counted []terms
		Counts             []float64
		Offset             []terms // 100 added to the first column
	}
	Separation []struct {
		X         [][]float64
		Y         []int
		Separable bool
	}
	Perceptron []struct {
		X    [][]float64
		Y    []int
		W    []float64
		Fits []struct {
			Epochs              int
			Weighted, Intercept bool
			Rate                float64
			Coef                [][]float64
			Offset              []float64
		}
	}
	Income struct {
		Rows, Columns int
		L2, L1        incomeFit
	}
	Hitters struct {
		Columns      []string
		Rows         int
		LeastSquares hittersFit `json:"least squares"`
		Ridge, Lasso hittersFit
	}
}

// terms are the columns of statsmodels' table of coefficients.
type terms struct {
	Coef, StdErr, Statistic, P []float64
}

type incomeFit struct {
	C, Loss, Accuracy float64
	LogLoss           float64 `json:"log_loss"`
}

type hittersFit struct {
	Coef          []float64
	Intercept, R2 float64
}

func answers(t *testing.T) peers {
	t.Helper()
	return oracle.Load[peers](t, "testdata/peers.json")
}

// near checks numbers against an oracle's, to a share of the oracle's or of one.
func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol*max(1, math.Abs(want[i]))) {
			t.Errorf("%s: number %d is %.12g, want %.12g", what, i, got[i], want[i])
		}
	}
}

func weightsIf(weighted bool, w []float64) []float64 {
	if weighted {
		return w
	}
	return nil
}

func TestRegressorsAgainstScikitLearn(t *testing.T) {
	for _, p := range answers(t).Regression {
		X := oracle.Matrix(p.X)
		for _, f := range p.Fits {
			name := fmt.Sprintf("%d rows, %s, alpha %v, ratio %v, weights %v, intercept %v", len(p.Y), f.Kind, f.Alpha, f.L1Ratio, f.Weighted, f.Intercept)
			w := weightsIf(f.Weighted, p.W)
			var m interface {
				Coef() []float64
				Intercept() float64
			}
			var err error
			// scikit-learn's descent on the wide problem stops further from the
			// minimum.
			tol := 1e-9
			switch f.Kind {
			case "least squares":
				m, err = linear.LeastSquaresConfig{NoIntercept: !f.Intercept}.FitRegressor(mlcore.FromMatrix(X, p.Y, w))
			case "ridge":
				m, err = linear.RidgeConfig{Alpha: f.Alpha, NoIntercept: !f.Intercept}.FitRegressor(mlcore.FromMatrix(X, p.Y, w))
			case "elastic net":
				tol = 1e-6
				if len(p.Y) < len(f.Coef) {
					tol = 1e-4
				}
				m, err = linear.ElasticNetConfig{Alpha: f.Alpha, L1Ratio: f.L1Ratio, NoIntercept: !f.Intercept, Tol: 1e-13, MaxIter: 100000}.FitRegressor(mlcore.FromMatrix(X, p.Y, w))
			default:
				t.Fatalf("kind %q", f.Kind)
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			near(t, name, append(m.Coef(), m.Intercept()), append(f.Coef, f.Offset), tol)
			if e, ok := m.(*linear.ElasticNet); ok && e.Status().Outcome != mlcore.Converged {
				t.Errorf("%s: %s", name, e.Status())
			}
		}
	}
}

// The penalties of a path are scikit-learn's, and so are the coefficients.
func TestPathAgainstScikitLearn(t *testing.T) {
	for _, p := range answers(t).Regression {
		tol := 1e-6
		if len(p.Y) < len(p.X[0]) {
			tol = 1e-4
		}
		c := linear.ElasticNetConfig{L1Ratio: p.Path.L1Ratio, Tol: 1e-13, MaxIter: 100000}
		path, err := c.Path(mlcore.FromMatrix(oracle.Matrix(p.X), p.Y, nil), linear.PathConfig{N: len(p.Path.Alphas)})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "alphas", path.Alphas(), p.Path.Alphas, 1e-12)
		for j, want := range p.Path.Coefs {
			near(t, fmt.Sprintf("%d rows, column %d", len(p.Y), j), mat.Row(nil, j, path.Coefs()), want, tol)
		}
		// The first penalty leaves nothing.
		if got := path.Model(0).NonZero(); len(got) != 0 {
			t.Errorf("at the greatest penalty the coefficients of %v are not 0", got)
		}
	}
}

func TestStandardErrorsAgainstStatsmodels(t *testing.T) {
	p := answers(t).Inference
	for _, f := range p.Fits {
		name := fmt.Sprintf("weights %v, intercept %v", f.Weighted, f.Intercept)
		m, err := linear.LeastSquaresConfig{NoIntercept: !f.Intercept}.FitRegressor(mlcore.FromMatrix(oracle.Matrix(p.X), p.Y, weightsIf(f.Weighted, p.W)))
		if err != nil {
			t.Fatal(err)
		}
		checkTerms(t, name, m.Terms(), f.terms, 1e-9)
		fit := m.Fit()
		near(t, name, []float64{fit.R2, fit.AdjustedR2, fit.F, fit.FP, fit.ResidualVariance, fit.ResidualSumOfSquares},
			[]float64{f.R2, f.AdjustedR2, f.F, f.FP, f.ResidualVariance, f.RSS}, 1e-10)
		if !(math.Abs(fit.FP-f.FP) <= 1e-8*f.FP) {
			t.Errorf("%s: p of F is %v, want %v", name, fit.FP, f.FP)
		}
		if fit.DegreesOfFreedom != f.DF || fit.Rank != 3 {
			t.Errorf("%s: %d degrees of freedom and rank %d, want %d and 3", name, fit.DegreesOfFreedom, fit.Rank, f.DF)
		}
	}
}

func checkTerms(t *testing.T, name string, got []linear.Term, want terms, tol float64) {
	t.Helper()
	if len(got) != len(want.Coef) {
		t.Fatalf("%s: %d terms, want %d", name, len(got), len(want.Coef))
	}
	for i, term := range got {
		near(t, fmt.Sprintf("%s, term %d (coef, error, statistic, p)", name, i),
			[]float64{term.Coef, term.StdErr, term.Statistic, term.P},
			[]float64{want.Coef[i], want.StdErr[i], want.Statistic[i], want.P[i]}, tol)
		// Small p-values keep their digits.
		if !(math.Abs(term.P-want.P[i]) <= 1e-6*want.P[i]) {
			t.Errorf("%s, term %d: p is %v, want %v", name, i, term.P, want.P[i])
		}
	}
}

var penalties = map[string]linear.Penalty{"L2": linear.L2, "L1": linear.L1, "ElasticNetPenalty": linear.ElasticNetPenalty, "NoPenalty": linear.NoPenalty}

func TestLogisticAgainstScikitLearn(t *testing.T) {
	for _, p := range answers(t).Logistic {
		X, K := oracle.Matrix(p.X), slices.Max(p.Y)+1
		for _, f := range p.Fits {
			for _, solver := range []linear.Solver{linear.Newton, linear.LBFGS} {
				name := fmt.Sprintf("%d classes, %s, C %v, weights %v, balanced %v, intercept %v, %s", K, f.Penalty, f.C, f.Weighted, f.Balanced, f.Intercept, solver)
				c := linear.LogisticConfig{Penalty: penalties[f.Penalty], C: f.C, L1Ratio: f.L1Ratio, NoIntercept: !f.Intercept,
					ClassWeight: mlcore.ClassWeight{Balanced: f.Balanced}, Solver: solver, Tol: 1e-10, MaxIter: 5000}
				m, err := c.FitClassifier(mlcore.FromMatrix(X, p.Y, weightsIf(f.Weighted, p.W)))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if s := m.Status(); s.Outcome != mlcore.Converged {
					t.Errorf("%s: %s", name, s)
				}
				want := oracle.Matrix(f.Coef)
				near(t, name+", coef", m.Coef().RawMatrix().Data, want.RawMatrix().Data, 1e-6)
				offsets := f.Offset
				if K > 2 {
					// Only differences matter; saga's do not sum to 0.
					offsets = centred(offsets)
				}
				near(t, name+", intercept", m.Intercept(), offsets, 1e-6)
				proba, err := m.PredictProba(oracle.Matrix(p.Queries))
				if err != nil {
					t.Fatal(err)
				}
				near(t, name+", probabilities", proba.RawMatrix().Data, oracle.Matrix(f.Proba).RawMatrix().Data, 1e-6)
			}
		}
	}
}

func centred(v []float64) []float64 {
	mean := 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	out := slices.Clone(v)
	for i := range out {
		out[i] -= mean
	}
	return out
}

// Weights that count rows give the standard errors of so many rows.
func TestLogisticInferenceAgainstStatsmodels(t *testing.T) {
	for _, p := range answers(t).Logistic {
		for _, c := range []struct {
			name string
			w    []float64
			want []terms
		}{{"all rows", nil, p.Inference}, {"counted rows", p.Counts, p.Counted}} {
			for _, solver := range []linear.Solver{linear.Newton, linear.LBFGS} {
				m, err := linear.LogisticConfig{Penalty: linear.NoPenalty, Tol: 1e-11, MaxIter: 1000, Solver: solver}.FitClassifier(mlcore.FromMatrix(oracle.Matrix(p.X), p.Y, c.w))
				if err != nil {
					t.Fatal(err)
				}
				tables, err := m.Inference()
				if err != nil {
					t.Fatal(err)
				}
				if len(tables) != len(c.want) {
					t.Fatalf("%d tables, want %d", len(tables), len(c.want))
				}
				for k, table := range tables {
					if table.Class != k+1 || table.Baseline != 0 {
						t.Errorf("table %d is of class %d against %d", k, table.Class, table.Baseline)
					}
					checkTerms(t, fmt.Sprintf("%s, %s, class %d", c.name, solver, k+1), table.Terms, c.want[k], 1e-7)
				}
			}
		}
	}
}

// A number added to a column changes the intercept and nothing else: years count
// from 0 or from 2000. The coefficients stay scikit-learn's, and with 100 added
// the standard errors, that of the intercept too, are statsmodels'.
func TestColumnsFarFromZero(t *testing.T) {
	for _, p := range answers(t).Logistic {
		for _, offset := range []float64{100, 1e6} {
			X := oracle.Matrix(p.X)
			for i := range p.Y {
				X.Set(i, 0, X.At(i, 0)+offset)
			}
			for _, f := range p.Fits {
				if !f.Intercept {
					continue
				}
				for _, solver := range []linear.Solver{linear.Newton, linear.LBFGS} {
					name := fmt.Sprintf("%v added, %s, C %v, weights %v, balanced %v, %s", offset, f.Penalty, f.C, f.Weighted, f.Balanced, solver)
					c := linear.LogisticConfig{Penalty: penalties[f.Penalty], C: f.C, L1Ratio: f.L1Ratio, ClassWeight: mlcore.ClassWeight{Balanced: f.Balanced}, Solver: solver, Tol: 1e-8, MaxIter: 500}
					m, err := c.FitClassifier(mlcore.FromMatrix(X, p.Y, weightsIf(f.Weighted, p.W)))
					if err != nil {
						t.Fatal(err)
					}
					if s := m.Status(); s.Outcome != mlcore.Converged {
						t.Errorf("%s: %s", name, s)
					}
					near(t, name+", coef", m.Coef().RawMatrix().Data, oracle.Matrix(f.Coef).RawMatrix().Data, 1e-5)
					want := slices.Clone(f.Offset)
					for k := range want {
						want[k] -= offset * f.Coef[k][0]
					}
					if len(want) > 1 {
						want = centred(want)
					}
					near(t, name+", intercept", m.Intercept(), want, 1e-5*offset)
				}
			}
			if offset != 100 {
				continue
			}
			for _, solver := range []linear.Solver{linear.Newton, linear.LBFGS} {
				m, err := linear.LogisticConfig{Penalty: linear.NoPenalty, Tol: 1e-11, MaxIter: 1000, Solver: solver}.FitClassifier(mlcore.FromMatrix(X, p.Y, nil))
				if err != nil {
					t.Fatal(err)
				}
				tables, err := m.Inference()
				if err != nil {
					t.Fatal(err)
				}
				for k, table := range tables {
					checkTerms(t, fmt.Sprintf("%v added, %s, class %d", offset, solver, k+1), table.Terms, p.Offset[k], 1e-6)
				}
			}
		}
	}
}

// Whether classes can be separated is a question of linear programming, and
// scipy's HiGHS answers it. No solver hides it, however far it goes.
func TestSeparationAgainstLinearProgramming(t *testing.T) {
	for i, p := range answers(t).Separation {
		for _, c := range []linear.LogisticConfig{
			{Solver: linear.Newton}, {Solver: linear.Newton, Tol: 1e-9, MaxIter: 1000},
			{Solver: linear.LBFGS, MaxIter: 1000}, {Solver: linear.LBFGS, Tol: 1e-9, MaxIter: 1000},
		} {
			c.Penalty = linear.NoPenalty
			m, err := c.FitClassifier(mlcore.FromMatrix(oracle.Matrix(p.X), p.Y, nil))
			if err != nil {
				t.Fatal(err)
			}
			if s := m.Status(); (s.Outcome == mlcore.Separated) != p.Separable {
				t.Errorf("problem %d, %s, Tol %v: %s; separable: %v", i, c.Solver, c.Tol, s, p.Separable)
			}
		}
	}
}

func TestPerceptronAgainstScikitLearn(t *testing.T) {
	for _, p := range answers(t).Perceptron {
		for _, f := range p.Fits {
			name := fmt.Sprintf("%d classes, %d epochs, weights %v, rate %v, intercept %v", slices.Max(p.Y)+1, f.Epochs, f.Weighted, f.Rate, f.Intercept)
			m, err := linear.PerceptronConfig{Epochs: f.Epochs, LearningRate: f.Rate, NoShuffle: true, NoIntercept: !f.Intercept}.FitClassifier(mlcore.FromMatrix(oracle.Matrix(p.X), p.Y, weightsIf(f.Weighted, p.W)))
			if err != nil {
				t.Fatal(err)
			}
			near(t, name+", coef", m.Coef().RawMatrix().Data, oracle.Matrix(f.Coef).RawMatrix().Data, 1e-12)
			near(t, name+", intercept", m.Intercept(), f.Offset, 1e-12)
		}
	}
}

// On one-hot columns, in sparse form: the minimum is scikit-learn's, and so are
// the scores of the test part. Coefficients are not compared: with all columns of
// an attribute and an intercept, many have the same L1 norm.
func TestIncomeAgainstScikitLearn(t *testing.T) {
	train, test := datasetstest.LoadSplit(t, "income")
	encoder, err := preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}.Fit(train)
	if err != nil {
		t.Fatal(err)
	}
	if train, err = encoder.Transform(train); err != nil {
		t.Fatal(err)
	}
	if test, err = encoder.Transform(test); err != nil {
		t.Fatal(err)
	}
	p := answers(t).Income
	if n, d := train.X.Dims(); n != p.Rows || d != p.Columns {
		t.Fatalf("%d×%d, scikit-learn had %d×%d", n, d, p.Rows, p.Columns)
	}
	for name, c := range map[string]struct {
		config linear.LogisticConfig
		want   incomeFit
	}{
		"L2":         {linear.LogisticConfig{Tol: 1e-9}, p.L2},
		"L2, L-BFGS": {linear.LogisticConfig{Tol: 1e-7, Solver: linear.LBFGS, MaxIter: 2000}, p.L2},
		"L1":         {linear.LogisticConfig{Penalty: linear.L1, Tol: 1e-9}, p.L1},
	} {
		c.config.C = c.want.C
		m, err := c.config.FitClassifier(train)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Status()
		if s.Outcome != mlcore.Converged {
			t.Errorf("%s: %s", name, s)
		}
		near(t, name+", loss", s.Loss[s.Iterations:], []float64{c.want.Loss}, 1e-8)
		y, err := m.Predict(test.X)
		if err != nil {
			t.Fatal(err)
		}
		accuracy, err := metrics.Accuracy(test.Y, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+", accuracy", []float64{accuracy}, []float64{c.want.Accuracy}, 1.5/float64(test.Len()))
		proba, err := m.PredictProba(test.X)
		if err != nil {
			t.Fatal(err)
		}
		loss, err := metrics.LogLoss(test.Y, proba, nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+", log loss", []float64{loss}, []float64{c.want.LogLoss}, 1e-6)
	}
}

func TestHittersAgainstScikitLearn(t *testing.T) {
	p := answers(t).Hitters
	ds := datasetstest.Load(t, "hitters")
	var err error
	if ds, err = ds.Select(p.Columns...); err != nil {
		t.Fatal(err)
	}
	if ds.Len() != p.Rows {
		t.Fatalf("%d rows, scikit-learn had %d", ds.Len(), p.Rows)
	}
	scaler, err := preprocess.StandardScalerConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := scaler.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	ols, err := linear.LeastSquaresConfig{}.FitRegressor(ds)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "least squares", append(ols.Coef(), ols.Intercept(), ols.Fit().R2), append(p.LeastSquares.Coef, p.LeastSquares.Intercept, p.LeastSquares.R2), 1e-9)
	ridge, err := linear.RidgeConfig{Alpha: 100}.FitRegressor(mlcore.FromMatrix(scaled.X, ds.Target, nil))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ridge", append(ridge.Coef(), ridge.Intercept()), append(p.Ridge.Coef, p.Ridge.Intercept), 1e-9)
	lasso, err := linear.LassoConfig{Alpha: 10, Tol: 1e-13, MaxIter: 10000}.FitRegressor(mlcore.FromMatrix(scaled.X, ds.Target, nil))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lasso", append(lasso.Coef(), lasso.Intercept()), append(p.Lasso.Coef, p.Lasso.Intercept), 1e-5)
}

// TestSlowlyDependentColumns: each column is far from what those before it explain, and
// yet all ten together nearly depend on each other. gonum's QR decomposition of the
// columns, with one of ones, gives the coefficients and their standard errors.
func TestSlowlyDependentColumns(t *testing.T) {
	const n, d, sine = 200, 10, 0.72
	rng := mlcore.NewRand(8)
	whole, y := mat.NewDense(n, d+1, nil), make([]float64, n)
	for i := range n {
		sum, size := 0.0, 1.0 // Kahan's matrix (1966), times a normal row
		whole.Set(i, 0, 1)
		for j := range d {
			own := rng.NormFloat64()
			whole.Set(i, j+1, float64(size*own)-sum)
			sum += float64(math.Sqrt(1-sine*sine) * float64(size*own))
			size *= sine
			y[i] += whole.At(i, j+1)
		}
		y[i] += rng.NormFloat64()
	}
	var qr mat.QR
	qr.Factorize(whole)
	var want, rest, r, inverse mat.Dense
	if err := qr.SolveTo(&want, false, mat.NewDense(n, 1, y)); err != nil {
		t.Fatal(err)
	}
	rest.Mul(whole, &want)
	rest.Sub(mat.NewDense(n, 1, y), &rest)
	qr.RTo(&r)
	if err := inverse.Inverse(r.Slice(0, d+1, 0, d+1)); err != nil {
		t.Fatal(err)
	}
	m, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(mat.DenseCopyOf(whole.Slice(0, n, 1, d+1)), y, nil))
	if err != nil {
		t.Fatal(err)
	}
	for j, term := range m.Terms() {
		se := mat.Norm(&rest, 2) / math.Sqrt(n-d-1) * mat.Norm(inverse.RowView(j), 2)
		if math.Abs(term.Coef-want.At(j, 0)) > 1e-11*se {
			t.Errorf("coefficient %d is %v, want %v", j, term.Coef, want.At(j, 0))
		}
		if math.Abs(term.StdErr-se) > 1e-11*se {
			t.Errorf("standard error %d is %v, want %v", j, term.StdErr, se)
		}
	}
}
