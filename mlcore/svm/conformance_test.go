package svm_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

// The order of rows decides where within the tolerance a solver stops; so the
// tolerance is tight here and that of the battery a little wider.
const (
	stop = 1e-9
	give = 1e-6
)

func TestConformance(t *testing.T) {
	for name, c := range map[string]svm.Config{
		"default":    {},
		"linear":     {Kernel: svm.Linear{}, C: 0.5},
		"polynomial": {Kernel: svm.Polynomial{Degree: 2, Coef0: 1}},
		"balanced":   {Balanced: true, C: 3},
	} {
		c.Tolerance, c.Epsilon = stop, 0.1
		traits := mlcoretest.Traits{NeedsTwoClasses: true, Tolerance: give}
		with := func(workers int) svm.Config {
			c := c
			c.Workers = workers
			return c
		}
		t.Run("classifier/"+name, func(t *testing.T) {
			mlcoretest.Classifier(t, mlcoretest.ClassifierSpec{
				Traits: traits,
				Learn:  func(workers int) mlcore.ClassifierLearner { return mlcore.LearnClassifier(with(workers).FitClassifier) },
				Decode: codectest.DecodeClassifier[svm.Classifier],
			})
		})
		t.Run("probabilities/"+name, func(t *testing.T) {
			traits := traits
			traits.Stochastic = true // folds are drawn
			mlcoretest.Classifier(t, mlcoretest.ClassifierSpec{
				Traits: traits,
				Learn: func(workers int) mlcore.ClassifierLearner {
					return mlcore.LearnClassifier(with(workers).FitProbClassifier)
				},
				Decode: codectest.DecodeClassifier[svm.ProbClassifier],
			})
		})
		if c.Balanced {
			continue // for classification
		}
		t.Run("regressor/"+name, func(t *testing.T) {
			mlcoretest.Regressor(t, mlcoretest.RegressorSpec{
				Traits: mlcoretest.Traits{Tolerance: give},
				Learn:  func(workers int) mlcore.RegressorLearner { return mlcore.LearnRegressor(with(workers).FitRegressor) },
				Decode: codectest.DecodeRegressor[svm.Regressor],
			})
		})
	}
}

func TestLinearConformance(t *testing.T) {
	for name, c := range map[string]svm.LinearConfig{
		"default":       {},
		"squared hinge": {Loss: svm.SquaredHinge},
		"bias scale":    {BiasScale: 3, C: 0.3},
	} {
		// The passes draw their order, but their minimum does not depend on it.
		c.Tolerance, c.Epsilon, c.MaxIterations = stop, 0.1, 100_000
		with := func(workers int) svm.LinearConfig {
			c := c
			c.Workers = workers
			return c
		}
		t.Run("classifier/"+name, func(t *testing.T) {
			mlcoretest.Classifier(t, mlcoretest.ClassifierSpec{
				Traits: mlcoretest.Traits{NeedsTwoClasses: true, Tolerance: give},
				Learn: func(workers int) mlcore.ClassifierLearner {
					return mlcore.LearnClassifier(with(workers).FitClassifier)
				},
				Decode: codectest.DecodeClassifier[svm.LinearClassifier],
			})
		})
		t.Run("regressor/"+name, func(t *testing.T) {
			mlcoretest.Regressor(t, mlcoretest.RegressorSpec{
				Traits: mlcoretest.Traits{Tolerance: give, MinRows: 2},
				Learn: func(workers int) mlcore.RegressorLearner {
					return refuseOneRow(mlcore.LearnRegressor(with(workers).FitRegressor))
				},
				Decode: codectest.DecodeRegressor[svm.LinearRegressor],
			})
		})
	}
}

// refuseOneRow keeps a single row from a learner. The battery expects that a
// regressor predicts the target of a single row everywhere, or refuses it; a
// linear machine, whose b is kept small like w, does neither.
func refuseOneRow(learn mlcore.RegressorLearner) mlcore.RegressorLearner {
	return func(X mat.Matrix, y, w []float64) (mlcore.Regressor, error) {
		if len(y) == 1 {
			return nil, mlcore.ErrShape
		}
		return learn(X, y, w)
	}
}
