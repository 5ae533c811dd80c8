package modelsel_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
)

func TestConformance(t *testing.T) {
	logistic := mlcore.LearnClassifier(linear.LogisticConfig{Tol: 1e-12}.FitClassifier)
	t.Run("fixed threshold", func(t *testing.T) {
		traits := mlcoretest.Traits{Binary: true, NeedsTwoClasses: true, Tol: 1e-6}
		mlcoretest.Classifier(t, traits, func(int) modelsel.FixedThresholdConfig {
			return modelsel.FixedThresholdConfig{Learner: logistic, Threshold: 0.3}
		})
	})
	t.Run("tuned threshold", func(t *testing.T) {
		// Folds are drawn: rows in another order, or repeated, are other folds.
		traits := mlcoretest.Traits{Binary: true, NeedsTwoClasses: true, Stochastic: true, MinRows: 5}
		mlcoretest.Classifier(t, traits, func(workers int) modelsel.TunedThresholdConfig {
			return modelsel.TunedThresholdConfig{Learner: logistic, Splitter: modelsel.KFold{Folds: 3, Shuffle: true}, Workers: workers}
		})
	})
}
