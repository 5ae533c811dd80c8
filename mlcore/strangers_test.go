package mlcore_test

import (
	"errors"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// A stranger is a model of two classes that another wrote. It answers as it should until
// how says otherwise.
type stranger struct {
	features int
	how      *string
}

func (m stranger) NumFeatures() int { return m.features }
func (m stranger) NumClasses() int  { return 2 }

func (m stranger) rows(X mat.Matrix) int {
	n, _ := X.Dims()
	switch *m.how {
	case "more":
		return n + 1
	case "fewer":
		return n - 1
	case "none":
		return 0
	case "panic":
		panic(errBurst)
	}
	return n
}

func (m stranger) Predict(X mat.Matrix) ([]int, error) {
	y := make([]int, m.rows(X))
	for i := range y {
		y[i] = i % 2
		switch *m.how {
		case "a class beyond":
			y[i] = 1 << 30
		case "a class below":
			y[i] = -1
		}
	}
	return y, nil
}

// table has a 1 in the column of each class and 0 elsewhere.
func (m stranger) table(X mat.Matrix, columns int) (*mat.Dense, error) {
	n := m.rows(X)
	switch *m.how {
	case "nil":
		return nil, nil
	case "wide":
		columns++
	}
	if n == 0 {
		return &mat.Dense{}, nil
	}
	out := mat.NewDense(n, columns, nil)
	for i := range n {
		out.Set(i, min(i%2, columns-1), 1)
	}
	return out, nil
}

type strangeProbabilities struct{ stranger }

func (m strangeProbabilities) PredictProba(X mat.Matrix) (*mat.Dense, error) { return m.table(X, 2) }

type strangeScores struct{ stranger }

func (m strangeScores) DecisionFunction(X mat.Matrix) (*mat.Dense, error) { return m.table(X, 1) }

type strangeNumbers struct{ stranger }

func (m strangeNumbers) Predict(X mat.Matrix) ([]float64, error) {
	return make([]float64, m.rows(X)), nil
}

// What is built on a model that another wrote makes errors of answers for more rows than
// it was asked about, or fewer, of classes that there are not, and of panics. No oracle: an
// answer to all rows is right, any other is an error.
func TestModelsThatAnswerOddly(t *testing.T) {
	const n = 24
	X, y, target := mat.NewDense(n, 2, nil), make([]int, n), make([]float64, n)
	for i := range n {
		X.SetRow(i, []float64{float64(i), float64(i * i % 7)})
		y[i], target[i] = i%2, float64(i%5)
	}
	classes, numbers := mlcore.FromMatrix(X, y, nil), mlcore.FromMatrix(X, target, nil)
	how := ""
	labels := func(ds *mlcore.Dataset) (mlcore.Classifier, error) { return stranger{ds.NumFeatures(), &how}, nil }
	probabilities := func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
		return strangeProbabilities{stranger{ds.NumFeatures(), &how}}, nil
	}
	scores := func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
		return strangeScores{stranger{ds.NumFeatures(), &how}}, nil
	}
	regressor := func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
		return strangeNumbers{stranger{ds.NumFeatures(), &how}}, nil
	}
	ask := func(m mlcore.Classifier) error { _, err := m.Predict(X); return err }
	askProba := func(m mlcore.ProbClassifier) error { _, err := m.PredictProba(X); return err }
	rows, codes, tables := []string{"more", "fewer", "none", "panic"}, []string{"a class beyond", "a class below"}, []string{"nil", "wide"}
	for _, c := range []struct {
		name string
		make func() (func() error, error)
		hows [][]string
	}{
		{"hard voting", func() (func() error, error) {
			m, err := ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{labels, probabilities}}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, codes}},
		{"soft voting", func() (func() error, error) {
			m, err := ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{probabilities}, Voting: ensemble.SoftVoting}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, tables}},
		{"mean of regressors", func() (func() error, error) {
			m, err := ensemble.VotingConfig{RegressorLearners: []mlcore.RegressorLearner{regressor}}.FitRegressor(numbers)
			return func() error { _, err := m.Predict(X); return err }, err
		}, [][]string{rows}},
		{"bagging", func() (func() error, error) {
			m, err := ensemble.BaggingConfig{Learner: probabilities, Estimators: 2}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, tables}},
		{"bagging of regressors", func() (func() error, error) {
			m, err := ensemble.BaggingConfig{RegressorLearner: regressor, Estimators: 2}.FitRegressor(numbers)
			return func() error { _, err := m.Predict(X); return err }, err
		}, [][]string{rows}},
		{"AdaBoost", func() (func() error, error) {
			m, err := ensemble.AdaBoostConfig{Learner: labels, Estimators: 2}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, codes}},
		{"stacking", func() (func() error, error) {
			m, err := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{probabilities}, FinalLearner: labels}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, tables, codes}},
		{"stacking of regressors", func() (func() error, error) {
			m, err := ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{regressor}, FinalRegressorLearner: regressor}.FitRegressor(numbers)
			return func() error { _, err := m.Predict(X); return err }, err
		}, [][]string{rows}},
		{"a pipeline", func() (func() error, error) {
			m, err := preprocess.PipelineConfig{Learner: labels}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, codes}},
		{"a pipeline's probabilities", func() (func() error, error) {
			m, err := preprocess.PipelineConfig{Learner: probabilities}.FitClassifier(classes)
			return func() error { return askProba(m) }, err
		}, [][]string{rows, tables}},
		{"a pipeline of a regressor", func() (func() error, error) {
			m, err := preprocess.PipelineConfig{RegressorLearner: regressor}.FitRegressor(numbers)
			return func() error { _, err := m.Predict(X); return err }, err
		}, [][]string{rows}},
		{"a threshold", func() (func() error, error) {
			m, err := modelsel.FixedThresholdConfig{Learner: probabilities}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, tables}},
		{"calibrated probabilities", func() (func() error, error) {
			m, err := calibration.Config{Learner: probabilities}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, {"nil"}}},
		{"calibrated scores", func() (func() error, error) {
			m, err := calibration.Config{Learner: scores}.FitClassifier(classes)
			return func() error { return ask(m) }, err
		}, [][]string{rows, {"nil"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			how = ""
			use, err := c.make()
			if err == nil {
				err = use()
			}
			if err != nil {
				t.Fatalf("a model that answers as it should: %v", err)
			}
			for _, hows := range c.hows {
				for _, how = range hows {
					err := func() (err error) {
						defer func() {
							if p := recover(); p != nil {
								t.Errorf("%s: it panics: %v", how, p)
								err = errBurst
							}
						}()
						return use()
					}()
					if err == nil {
						t.Errorf("%s: no error", how)
					}
					if how == "panic" && !errors.Is(err, errBurst) {
						t.Errorf("%s: error %v, want one that wraps %v", how, err, errBurst)
					}
				}
			}
		})
	}
}
