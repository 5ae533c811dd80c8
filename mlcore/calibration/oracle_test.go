package calibration_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
)

// learners are those of scripts/oracles/calibration.py.
func learners() map[string]mlcore.ClassifierLearner {
	return map[string]mlcore.ClassifierLearner{
		"naive Bayes": mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier),
		"logistic":    mlcore.LearnClassifier(linear.LogisticConfig{Tol: 1e-10}.FitClassifier),
		"SVC":         mlcore.LearnClassifier(svm.Config{Tol: 1e-10}.FitClassifier),
		"linear SVC":  mlcore.LearnClassifier(svm.LinearConfig{Loss: svm.SquaredHinge, Tol: 1e-10}.FitClassifier),
		"pipeline": mlcore.LearnClassifier(preprocess.PipelineConfig{
			Steps:   []preprocess.Step{preprocess.StandardScalerConfig{}},
			Learner: mlcore.LearnClassifier(svm.Config{Tol: 1e-10}.FitClassifier),
		}.FitClassifier),
	}
}

// The probabilities are those of scikit-learn's CalibratedClassifierCV, whose sigmoids
// are within about 1e-5 of the best, in folds that are not shuffled.
func TestAgainstScikitLearn(t *testing.T) {
	peers := oracle.Load[struct {
		Sets []struct {
			X    [][]float64 `json:"X"`
			Y    []int
			W    []float64
			Fits []struct {
				Learner, Method    string
				Ensemble, Weighted bool
				Proba              [][]float64
			}
		}
	}](t, "testdata/peers.json")
	for _, s := range peers.Sets {
		X := oracle.Matrix(s.X)
		for _, f := range s.Fits {
			ds := mlcore.FromMatrix(X, s.Y, nil)
			name := f.Learner + ", " + f.Method
			if f.Weighted {
				ds.Weights = s.W
				name += ", weighted"
			}
			c := calibration.Config{Learner: learners()[f.Learner], Splitter: modelsel.StratifiedKFold{}, Single: !f.Ensemble}
			tol := 1e-4
			if f.Method == "isotonic" {
				c.Method, tol = calibration.Isotonic, 1e-6
			}
			m, err := c.FitClassifier(ds)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			p, err := m.PredictProba(X)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			worst := 0.0
			for i, row := range f.Proba {
				for k, want := range row {
					worst = max(worst, math.Abs(p.At(i, k)-want))
				}
			}
			if !(worst <= tol) {
				t.Errorf("%d classes, %s, one model %v: probabilities differ from scikit-learn's by %.2g", len(f.Proba[0]), name, c.Single, worst)
			}
		}
	}
}
