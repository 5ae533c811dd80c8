package svm_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

// answers is testdata/peers.json: data and what scikit-learn makes of
// them. scripts/oracles/svm.py made it; the file holds versions.
type answers struct {
	X, Queries        [][]float64
	Binary, Classes   []int
	Targets, Weights  []float64
	Classifiers       []classifierAnswer
	Regressors        []regressorAnswer
	LinearClassifiers []linearAnswer[int]     `json:"linear_classifiers"`
	LinearRegressors  []linearAnswer[float64] `json:"linear_regressors"`
	Iris              struct {
		Least, Greatest float64 // log loss
		Right           int
	}
	Letter struct {
		Rows, Right         int
		C, Gamma, Objective float64
	}
}

type parameters struct {
	Kernel, Loss     string
	C, Gamma, Coef0  float64
	Degree           int
	Epsilon          float64
	InterceptScaling float64 `json:"intercept_scaling"`
	FitIntercept     *bool   `json:"fit_intercept"`
}

type classifierAnswer struct {
	Name, Labels                string
	Weighted, Balanced          bool
	Params                      parameters
	ClassWeight                 []float64 `json:"class_weight"`
	Support, Predict            []int
	Intercept, Objective, Width []float64
	Decision                    [][]float64
}

type regressorAnswer struct {
	Name                 string
	Weighted             bool
	Params               parameters
	Support              []int
	Predict              []float64
	Intercept, Objective float64
}

type linearAnswer[L int | float64] struct {
	Name, Labels string
	Weighted     bool
	Params       parameters
	ClassWeight  []float64       `json:"class_weight"`
	Coef         json.RawMessage // one row a plane, or the row itself
	Intercept    []float64
	Predict      []L
}

func scikitLearn(t *testing.T) answers {
	t.Helper()
	return oracle.Load[answers](t, "testdata/peers.json")
}

func (a answers) labels(which string) []int {
	if which == "binary" {
		return a.Binary
	}
	return a.Classes
}

func (a answers) weightsIf(weighted bool) []float64 {
	if weighted {
		return a.Weights
	}
	return nil
}

func (p parameters) kernel() svm.Kernel {
	switch p.Kernel {
	case "linear":
		return svm.Linear{}
	case "poly":
		return svm.Polynomial{Degree: p.Degree, Gamma: p.Gamma, Coef0: p.Coef0}
	}
	return svm.RBF{Gamma: p.Gamma}
}

// Ours stop at a violation of 1e-9; the answers solve the optimality conditions
// for scikit-learn's support vectors in double precision.
const (
	tight     = 1e-9
	tolerance = 1e-7
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*max(1, math.Abs(b)) }

func checkNear(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, scikit-learn has %d", what, len(got), len(want))
	}
	for i := range got {
		if !near(got[i], want[i], tolerance) {
			t.Errorf("%s %d: %v, scikit-learn %v", what, i, got[i], want[i])
		}
	}
}

func TestClassifiersAgainstScikitLearn(t *testing.T) {
	a := scikitLearn(t)
	X, Q := oracle.Matrix(a.X), oracle.Matrix(a.Queries)
	for _, want := range a.Classifiers {
		t.Run(want.Name, func(t *testing.T) {
			cfg := svm.Config{C: want.Params.C, Kernel: want.Params.kernel(), ClassWeight: mlcore.ClassWeight{Weights: want.ClassWeight, Balanced: want.Balanced}, Tol: tight}
			w := a.weightsIf(want.Weighted)
			m, err := cfg.FitClassifier(mlcore.FromMatrix(X, a.labels(want.Labels), w))
			if err != nil {
				t.Fatal(err)
			}
			if r := m.Status(); r.Outcome != mlcore.Converged || r.Measure > tight {
				t.Fatalf("%v with violation %v", r.Outcome, r.Measure)
			}
			if !slices.Equal(m.Support(), want.Support) {
				t.Errorf("support vectors %v, scikit-learn %v", m.Support(), want.Support)
			}
			checkNear(t, "intercept", m.Intercept(), want.Intercept, tolerance)
			checkNear(t, "street width", m.StreetWidth(), want.Width, tolerance)
			var objective []float64
			for _, s := range m.Solutions() {
				objective = append(objective, s.Objective)
			}
			checkNear(t, "objective", objective, want.Objective, tolerance)
			f, err := m.Decision(Q)
			if err != nil {
				t.Fatal(err)
			}
			checkNear(t, "decision", f.RawMatrix().Data, slices.Concat(want.Decision...), tolerance)
			y, err := m.Predict(Q)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(y, want.Predict) {
				t.Errorf("predictions %v, scikit-learn %v", y, want.Predict)
			}
		})
	}
}

func TestRegressorsAgainstScikitLearn(t *testing.T) {
	a := scikitLearn(t)
	X, Q := oracle.Matrix(a.X), oracle.Matrix(a.Queries)
	for _, want := range a.Regressors {
		t.Run(want.Name, func(t *testing.T) {
			cfg := svm.Config{C: want.Params.C, Kernel: want.Params.kernel(), Epsilon: want.Params.Epsilon, Tol: tight}
			m, err := cfg.FitRegressor(mlcore.FromMatrix(X, a.Targets, a.weightsIf(want.Weighted)))
			if err != nil {
				t.Fatal(err)
			}
			if r := m.Status(); r.Outcome != mlcore.Converged || !near(m.Solutions()[0].Objective, want.Objective, tolerance) {
				t.Errorf("%v with objective %v, scikit-learn %v", r.Outcome, m.Solutions()[0].Objective, want.Objective)
			}
			if !slices.Equal(m.Support(), want.Support) {
				t.Errorf("support vectors %v, scikit-learn %v", m.Support(), want.Support)
			}
			checkNear(t, "intercept", []float64{m.Intercept()}, []float64{want.Intercept}, tolerance)
			y, err := m.Predict(Q)
			if err != nil {
				t.Fatal(err)
			}
			checkNear(t, "prediction", y, want.Predict, tolerance)
		})
	}
}

func (p parameters) linear(t *testing.T) svm.LinearConfig {
	cfg := svm.LinearConfig{C: p.C, Epsilon: p.Epsilon, InterceptScaling: p.InterceptScaling, Tol: tight, MaxIter: 100_000}
	switch p.Loss {
	case "hinge", "epsilon_insensitive":
	case "squared_hinge", "squared_epsilon_insensitive":
		cfg.Loss = svm.SquaredHinge
	default:
		t.Fatalf("loss %q", p.Loss)
	}
	cfg.NoIntercept = p.FitIntercept != nil && !*p.FitIntercept
	return cfg
}

// liblinear is told to stop at 1e-8 of its own measure; that is as near as its
// answers are to the minimum.
const linearTolerance = 1e-6

func TestLinearClassifiersAgainstScikitLearn(t *testing.T) {
	a := scikitLearn(t)
	X, Q := oracle.Matrix(a.X), oracle.Matrix(a.Queries)
	for _, want := range a.LinearClassifiers {
		t.Run(want.Name, func(t *testing.T) {
			cfg := want.Params.linear(t)
			cfg.ClassWeight.Weights = want.ClassWeight
			m, err := cfg.FitClassifier(mlcore.FromMatrix(X, a.labels(want.Labels), a.weightsIf(want.Weighted)))
			if err != nil {
				t.Fatal(err)
			}
			if r := m.Status(); r.Outcome != mlcore.Converged {
				t.Fatalf("%v after %d passes: %s", r.Outcome, r.Iterations, r.Advice)
			}
			var coef [][]float64
			if err := json.Unmarshal(want.Coef, &coef); err != nil {
				t.Fatal(err)
			}
			checkNear(t, "coefficient", m.Coef().RawMatrix().Data, slices.Concat(coef...), linearTolerance)
			checkNear(t, "intercept", m.Intercept(), want.Intercept, linearTolerance)
			y, err := m.Predict(Q)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(y, want.Predict) {
				t.Errorf("predictions %v, scikit-learn %v", y, want.Predict)
			}
		})
	}
}

func TestLinearRegressorsAgainstScikitLearn(t *testing.T) {
	a := scikitLearn(t)
	X, Q := oracle.Matrix(a.X), oracle.Matrix(a.Queries)
	for _, want := range a.LinearRegressors {
		t.Run(want.Name, func(t *testing.T) {
			m, err := want.Params.linear(t).FitRegressor(mlcore.FromMatrix(X, a.Targets, a.weightsIf(want.Weighted)))
			if err != nil {
				t.Fatal(err)
			}
			if r := m.Status(); r.Outcome != mlcore.Converged {
				t.Fatalf("%v after %d passes: %s", r.Outcome, r.Iterations, r.Advice)
			}
			var coef []float64
			if err := json.Unmarshal(want.Coef, &coef); err != nil {
				t.Fatal(err)
			}
			checkNear(t, "coefficient", m.Coef(), coef, linearTolerance)
			checkNear(t, "intercept", []float64{m.Intercept()}, want.Intercept, linearTolerance)
			y, err := m.Predict(Q)
			if err != nil {
				t.Fatal(err)
			}
			checkNear(t, "prediction", y, want.Predict, linearTolerance)
		})
	}
}

// Letter is the test of many machines on data with ties, where the objective is
// unique though the support vectors are not.
func TestLetterAgainstScikitLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("325 machines take a while")
	}
	want := scikitLearn(t).Letter
	train, test := standardisedLetter(t, want.Rows)
	m, err := svm.Config{C: want.C, Kernel: svm.RBF{Gamma: want.Gamma}, Tol: 1e-6}.FitClassifier(train)
	if err != nil {
		t.Fatal(err)
	}
	objective := 0.0
	for _, s := range m.Solutions() {
		objective += s.Objective
	}
	if !near(objective, want.Objective, 1e-6) {
		t.Errorf("objective %v, scikit-learn %v", objective, want.Objective)
	}
	y, err := m.Predict(test.X)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, k := range y {
		if k == test.Y[i] {
			right++
		}
	}
	// Two rows may sit so near a boundary that rounding decides.
	if right < want.Right-2 || right > want.Right+2 {
		t.Errorf("%d of %d right, scikit-learn %d", right, len(y), want.Right)
	}
}

// standardisedLetter returns the first rows of Letter's training set and its test
// set, scaled by the mean and deviation of the former.
func standardisedLetter(tb testing.TB, rows int) (train, test *mlcore.Dataset) {
	train, test = datasetstest.LoadSplit(tb, "letter")
	first := make([]int, rows)
	for i := range first {
		first[i] = i
	}
	train = train.Subset(first)
	scaled := *test
	scaled.X = mat.DenseCopyOf(test.X)
	standardise(train.X, train.X, scaled.X)
	return train, &scaled
}

// standardise scales matrices in place by the columns of the first.
func standardise(by *mat.Dense, all ...*mat.Dense) {
	n, d := by.Dims()
	for j := range d {
		column := mat.Col(nil, j, by)
		mean, variance := 0.0, 0.0
		for _, v := range column {
			mean += v / float64(n)
		}
		for _, v := range column {
			variance += (v - mean) * (v - mean) / float64(n)
		}
		for _, X := range all {
			for i := range X.RawMatrix().Rows {
				X.Set(i, j, (X.At(i, j)-mean)/math.Sqrt(variance))
			}
		}
	}
}
