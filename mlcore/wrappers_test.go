package mlcore_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// What the model inside cannot do, what is around it refuses, and names that model: a
// model that estimates no probabilities has none in a pipeline, a stack or a threshold
// either. The oracle is the error of the bare model.
func TestProbabilitiesThatNoModelEstimates(t *testing.T) {
	for _, classes := range []int{2, 3} {
		t.Run(fmt.Sprint(classes, " classes"), func(t *testing.T) { refuseProbabilities(t, classes) })
	}
}

func refuseProbabilities(t *testing.T, classes int) {
	const n = 60
	rng := mlcore.NewRand(52, 0)
	X, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = i % classes
		X.Set(i, 0, rng.NormFloat64()+float64(y[i]))
		X.Set(i, 1, rng.NormFloat64())
	}
	ds := mlcore.FromMatrix(X, y, nil)
	scaled := func(l mlcore.ClassifierLearner) mlcore.ClassifierLearner {
		return mlcore.LearnClassifier(preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.StandardScalerConfig{}}, Learner: l}.FitClassifier)
	}
	stacked := func(l mlcore.ClassifierLearner) mlcore.ClassifierLearner {
		return mlcore.LearnClassifier(ensemble.StackingConfig{
			Learners:     []mlcore.ClassifierLearner{mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)},
			FinalLearner: l,
		}.FitClassifier)
	}
	around := map[string]func(mlcore.ClassifierLearner) mlcore.ClassifierLearner{
		"":                      func(l mlcore.ClassifierLearner) mlcore.ClassifierLearner { return l },
		"a pipeline":            scaled,
		"a pipeline in another": func(l mlcore.ClassifierLearner) mlcore.ClassifierLearner { return scaled(scaled(l)) },
		"a stack":               stacked,
		"a stack of a pipeline": func(l mlcore.ClassifierLearner) mlcore.ClassifierLearner { return stacked(scaled(l)) },
		"a pipeline of a stack": func(l mlcore.ClassifierLearner) mlcore.ClassifierLearner { return scaled(stacked(l)) },
	}
	options := func(s modelsel.Scorer) modelsel.Options {
		return modelsel.Options{Splitter: modelsel.StratifiedKFold{Folds: 3}, Scorers: []modelsel.Scorer{s}}
	}
	asks := map[string]func(mlcore.ClassifierLearner) error{
		"PredictProba": func(l mlcore.ClassifierLearner) error {
			m, err := l(ds)
			if err != nil {
				t.Fatal(err)
			}
			p, ok := m.(mlcore.ProbClassifier)
			if !ok {
				return nil
			}
			_, err = p.PredictProba(X)
			return err
		},
		"log loss": func(l mlcore.ClassifierLearner) error {
			_, err := modelsel.CrossValidate(l, ds, options(modelsel.LogLoss))
			return err
		},
		"one-vs-rest ROC AUC": func(l mlcore.ClassifierLearner) error {
			_, err := modelsel.CrossValidate(l, ds, options(modelsel.ROCAUCOneVsRest))
			return err
		},
		"a search": func(l mlcore.ClassifierLearner) error {
			fit := func(l mlcore.ClassifierLearner, ds *mlcore.Dataset) (mlcore.Classifier, error) { return l(ds) }
			_, err := modelsel.Search(fit, modelsel.List(l, l), ds, modelsel.SearchOptions{Options: options(modelsel.LogLoss)})
			return err
		},
		"a learning curve": func(l mlcore.ClassifierLearner) error {
			_, err := modelsel.LearningCurve(l, ds, modelsel.LearningCurveOptions{TrainSizes: []float64{0.8, 1}, Options: options(modelsel.ROCAUCOneVsRest)})
			return err
		},
		"elimination by log loss": func(l mlcore.ClassifierLearner) error {
			_, err := preprocess.RFECVConfig{
				Learner: l, Scorer: modelsel.LogLoss, Splitter: modelsel.StratifiedKFold{Folds: 3},
				Importances: func(any) ([]float64, error) { return []float64{1, 2}, nil },
			}.Fit(ds)
			return err
		},
		"CrossValPredictProba": func(l mlcore.ClassifierLearner) error {
			_, err := modelsel.CrossValPredictProba(l, ds, options(modelsel.Scorer{}))
			return err
		},
		"a threshold": func(l mlcore.ClassifierLearner) error {
			_, err := modelsel.FixedThresholdConfig{Learner: l}.FitClassifier(ds)
			return err
		},
		"a tuned threshold": func(l mlcore.ClassifierLearner) error {
			_, err := modelsel.TunedThresholdConfig{Learner: l}.FitClassifier(ds)
			return err
		},
		"soft voting": func(l mlcore.ClassifierLearner) error {
			_, err := ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{l}, Voting: ensemble.SoftVoting}.FitClassifier(ds)
			return err
		},
		"soft bagging": func(l mlcore.ClassifierLearner) error {
			_, err := ensemble.BaggingConfig{Learner: l, Estimators: 2, Voting: ensemble.SoftVoting}.FitClassifier(ds)
			return err
		},
		"partial dependence": func(l mlcore.ClassifierLearner) error {
			m, err := l(ds)
			if err != nil {
				t.Fatal(err)
			}
			p, ok := m.(mlcore.ProbClassifier)
			if !ok {
				return nil
			}
			_, err = inspection.PartialDependenceConfig{Features: []string{ds.Columns[0].Name}, Class: "1"}.Classifier(p, ds)
			return err
		},
	}
	for kind, l := range map[string]mlcore.ClassifierLearner{
		"*svm.Classifier":       mlcore.LearnClassifier(svm.Config{}.FitClassifier),
		"*svm.LinearClassifier": mlcore.LearnClassifier(svm.LinearConfig{}.FitClassifier),
		"*linear.Perceptron":    mlcore.LearnClassifier(linear.PerceptronConfig{}.FitClassifier),
	} {
		for where, wrap := range around {
			for what, ask := range asks {
				if classes > 2 && strings.HasSuffix(what, "threshold") {
					continue // which is for two
				}
				err := ask(wrap(l))
				if where == "" && err == nil && (what == "PredictProba" || what == "partial dependence") {
					continue // the compiler says it
				}
				if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), kind) && !strings.HasPrefix(what, "soft") {
					t.Errorf("%s of %s in %q: error %v, want the words of a bare %s", what, kind, where, err, kind)
				}
			}
			// What needs no probabilities does the same as with the bare model.
			if m, err := (calibration.Config{Learner: wrap(l)}).FitClassifier(ds); err != nil {
				t.Errorf("calibration of %s in %q: %v", kind, where, err)
			} else if _, err := m.PredictProba(X); err != nil {
				t.Errorf("calibrated %s in %q: %v", kind, where, err)
			}
			if _, err := modelsel.CrossValidate(wrap(l), ds, options(modelsel.ROCAUC)); (err == nil) != (classes == 2) {
				t.Errorf("ROC AUC of %s in %q: %v", kind, where, err)
			}
			m, err := wrap(l)(ds)
			if err != nil {
				t.Fatal(err)
			}
			guess, err := m.Predict(X)
			if err != nil {
				t.Fatal(err)
			}
			accuracy, err := metrics.Accuracy(y, guess, nil)
			if im, err2 := (tree.Permutation{}).Classifier(m, X, y, nil); err != nil || err2 != nil || im.Score != accuracy {
				t.Errorf("permutation importance of %s in %q: %+v (%v, %v), its accuracy is %v", kind, where, im, err, err2, accuracy)
			}
			bag, err := ensemble.BaggingConfig{Learner: wrap(l), Estimators: 4}.FitClassifier(ds)
			if err != nil {
				t.Errorf("a bag of %s in %q: %v", kind, where, err)
				continue
			}
			p, err := bag.PredictProba(X)
			if err != nil {
				t.Errorf("a bag of %s in %q: %v", kind, where, err)
				continue
			}
			shares := map[string]bool{}
			for _, v := range p.RawMatrix().Data {
				shares[fmt.Sprint(4*v)] = true
			}
			for share := range shares {
				if !slices.Contains([]string{"0", "1", "2", "3", "4"}, share) {
					t.Errorf("a bag of %s in %q: %s votes", kind, where, share)
				}
			}
		}
	}
}
