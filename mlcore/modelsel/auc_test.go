package modelsel_test

import (
	"errors"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
)

// The area is that of decision values where a model has some, inside others too. The
// oracle is testdata/peers_auc.json, which scripts/oracles/modelsel_auc.py made.
func TestROCAUCOfDecisionValues(t *testing.T) {
	o := oracle.Load[struct {
		X         [][]float64          `json:"X"`
		Y         []int                `json:"y"`
		AUC       map[string][]float64 `json:"auc"`
		Decisions map[string][]float64 `json:"decisions"`
	}](t, "testdata/peers_auc.json")
	scaled := func(l mlcore.ClassifierLearner) mlcore.ClassifierLearner {
		return mlcore.LearnClassifier(preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.StandardScalerConfig{}}, Learner: l}.FitClassifier)
	}
	kernel := mlcore.LearnClassifier(svm.Config{Kernel: svm.RBF{Gamma: 0.5}, Tol: 1e-9}.FitClassifier)
	logistic := mlcore.LearnClassifier(linear.LogisticConfig{Tol: 1e-10, MaxIter: 10_000}.FitClassifier)
	naive := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	learners := map[string]mlcore.ClassifierLearner{
		"linear machine in a pipeline":      scaled(mlcore.LearnClassifier(svm.LinearConfig{Loss: svm.SquaredHinge, Tol: 1e-9, MaxIter: 100_000}.FitClassifier)),
		"kernel machine in a pipeline":      scaled(kernel),
		"pipeline in a pipeline":            scaled(scaled(kernel)),
		"logistic regression in a pipeline": scaled(logistic),
		"naive Bayes":                       naive,
		"linear discriminants":              mlcore.LearnClassifier(bayes.LinearDiscriminantConfig{}.FitClassifier),
		"quadratic discriminants":           mlcore.LearnClassifier(bayes.QuadraticDiscriminantConfig{}.FitClassifier),
		"threshold":                         mlcore.LearnClassifier(modelsel.FixedThresholdConfig{Learner: scaled(logistic), Threshold: 0.3}.FitClassifier),
		"stack": mlcore.LearnClassifier(ensemble.StackingConfig{
			Learners:     []mlcore.ClassifierLearner{naive},
			FinalLearner: mlcore.LearnClassifier(svm.Config{Kernel: svm.Linear{}, Tol: 1e-9}.FitClassifier),
			Splitter:     modelsel.StratifiedKFold{},
		}.FitClassifier),
	}
	ds := mlcore.FromMatrix(oracle.Matrix(o.X), o.Y, nil)
	for name, want := range o.AUC {
		r, err := modelsel.CrossValidate(learners[name], ds, modelsel.Options{Splitter: modelsel.StratifiedKFold{}, Scorers: []modelsel.Scorer{modelsel.ROCAUC}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, v := range r.Scores[0].Test {
			if !(math.Abs(v-want[i]) < 1e-12) {
				t.Errorf("%s, fold %d: %v, want %v", name, i, v, want[i])
			}
		}
	}
	for name, want := range o.Decisions {
		r, err := modelsel.CrossValPredictScores(learners[name], ds, modelsel.Options{Splitter: modelsel.StratifiedKFold{}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, v := range r.Values {
			if !(math.Abs(v-want[i]) < 1e-5) {
				t.Errorf("%s, row %d: %v, want %v", name, i, v, want[i])
				break
			}
		}
		if len(r.Values) != len(want) || len(r.Fold) != len(want) {
			t.Errorf("%s: %d scores and %d folds of %d rows", name, len(r.Values), len(r.Fold), len(want))
		}
	}
	if _, err := modelsel.CrossValPredictScores(naive, mlcore.FromMatrix(oracle.Matrix(o.X[:6]), []int{0, 1, 2, 0, 1, 2}, nil), modelsel.Options{Splitter: modelsel.KFold{Folds: 2}}); !errors.Is(err, mlcore.ErrShape) {
		t.Errorf("three classes: error %v, want ErrShape", err)
	}
}
