package ensemble_test

import (
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// stackingPeers is testdata/peers_stacking.json: made-up data and what scikit-learn's
// stacks answer. scripts/oracles/ensemble_stacking.py made it; the file holds versions.
type stackingPeers struct {
	X              [][]float64      `json:"X"`
	Queries        [][]float64      `json:"queries"`
	Labels         map[string][]int `json:"labels"`
	Target         []float64        `json:"target"`
	Weights        []float64        `json:"weights"`
	Classification []struct {
		Name        string      `json:"name"`
		Classes     int         `json:"classes"`
		Learners    []string    `json:"learners"`
		Folds       int         `json:"folds"`
		Passthrough bool        `json:"passthrough"`
		LabelsOnly  bool        `json:"labels_only"`
		Weighted    bool        `json:"weighted"`
		Inputs      [][]float64 `json:"inputs"`
		Coef        [][]float64 `json:"coef"`
		Proba       [][]float64 `json:"proba"`
	} `json:"classification"`
	Regression []struct {
		Name        string      `json:"name"`
		Learners    []string    `json:"learners"`
		Folds       int         `json:"folds"`
		Passthrough bool        `json:"passthrough"`
		Weighted    bool        `json:"weighted"`
		Inputs      [][]float64 `json:"inputs"`
		Coef        []float64   `json:"coef"`
		Predictions []float64   `json:"predictions"`
	} `json:"regression"`
}

// mute hides the probabilities of a classifier.
type mute struct{ m mlcore.Classifier }

func (m mute) NumFeatures() int                    { return m.m.NumFeatures() }
func (m mute) NumClasses() int                     { return m.m.NumClasses() }
func (m mute) Predict(X mat.Matrix) ([]int, error) { return m.m.Predict(X) }

// without returns a learner whose models estimate no probabilities.
func without(learner mlcore.ClassifierLearner) mlcore.ClassifierLearner {
	return func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
		m, err := learner(ds)
		return mute{m}, err
	}
}

func closeTo(t *testing.T, name string, got mat.Matrix, want [][]float64, tolerance float64) {
	t.Helper()
	if n, d := got.Dims(); n != len(want) || d != len(want[0]) {
		t.Fatalf("%s: %d×%d numbers, scikit-learn %d×%d", name, n, d, len(want), len(want[0]))
	}
	for i, row := range want {
		for j, w := range row {
			if g := got.At(i, j); !(math.Abs(g-w) <= tolerance*max(1, math.Abs(w))) {
				t.Fatalf("%s: row %d, column %d is %v, scikit-learn %v", name, i, j, g, w)
			}
		}
	}
}

func TestStackingAgainstScikitLearn(t *testing.T) {
	o := oracle.Load[stackingPeers](t, "testdata/peers_stacking.json")
	X, queries := oracle.Matrix(o.X), oracle.Matrix(o.Queries)
	exact := linear.LogisticConfig{Tol: 1e-12}
	learners := map[string]mlcore.ClassifierLearner{
		"naive Bayes": mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier),
		"logistic":    mlcore.LearnClassifier(exact.FitClassifier),
		"neighbours":  mlcore.LearnClassifier(neighbors.Config{Neighbors: 7}.FitClassifier),
	}
	for _, c := range o.Classification {
		cfg := ensemble.StackingConfig{Splitter: modelsel.StratifiedKFold{Folds: c.Folds}, Passthrough: c.Passthrough, FinalLearner: learners["logistic"]}
		for _, name := range c.Learners {
			learner := learners[name]
			if c.LabelsOnly {
				learner = without(learner)
			}
			cfg.Learners = append(cfg.Learners, learner)
		}
		ds := mlcore.FromMatrix(X, o.Labels[strconv.Itoa(c.Classes)], nil)
		if c.Weighted {
			ds.Weights = o.Weights
		}
		m, err := cfg.FitClassifier(ds)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		inputs, err := m.FinalInputs(queries)
		if err != nil {
			t.Fatal(err)
		}
		proba, err := m.PredictProba(queries)
		if err != nil {
			t.Fatal(err)
		}
		// Both sides stop near the optimum of a logistic regression.
		closeTo(t, c.Name+": inputs of the final model", inputs, c.Inputs, 1e-6)
		closeTo(t, c.Name+": coefficients", m.Final().(*linear.Logistic).Coef(), c.Coef, 1e-5)
		closeTo(t, c.Name+": probabilities", proba, c.Proba, 1e-6)
	}
	regressors := map[string]mlcore.RegressorLearner{
		"least squares": mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor),
		"neighbours":    mlcore.LearnRegressor(neighbors.Config{}.FitRegressor),
		"ridge":         mlcore.LearnRegressor(linear.RidgeConfig{Alpha: 2}.FitRegressor),
	}
	for _, c := range o.Regression {
		cfg := ensemble.StackingConfig{Splitter: modelsel.KFold{Folds: c.Folds}, Passthrough: c.Passthrough}
		for _, name := range c.Learners {
			cfg.RegressorLearners = append(cfg.RegressorLearners, regressors[name])
		}
		ds := mlcore.FromMatrix(X, o.Target, nil)
		if c.Weighted {
			ds.Weights = o.Weights
		}
		m, err := cfg.FitRegressor(ds)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		inputs, err := m.FinalInputs(queries)
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := m.Predict(queries)
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, c.Name+": inputs of the final model", inputs, c.Inputs, 1e-9)
		closeTo(t, c.Name+": coefficients", mat.NewDense(1, len(c.Coef), m.Final().(*linear.Ridge).Coef()), [][]float64{c.Coef}, 1e-9)
		closeTo(t, c.Name+": predictions", mat.NewDense(1, len(predicted), predicted), [][]float64{c.Predictions}, 1e-9)
	}
}
