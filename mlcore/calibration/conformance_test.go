package calibration_test

import (
	"fmt"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
)

// Which fold a row is in depends on its place, and folds count rows whatever they weigh.
func TestConformance(t *testing.T) {
	traits := mlcoretest.Traits{Stochastic: true, CountsRows: true, NeedsTwoClasses: true}
	naive := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	for _, method := range []calibration.Method{calibration.Sigmoid, calibration.Isotonic} {
		for _, single := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v, single %v", method, single), func(t *testing.T) {
				mlcoretest.Classifier(t, traits, func(workers int) calibration.Config {
					return calibration.Config{Learner: naive, Method: method, Single: single, Splitter: modelsel.StratifiedKFold{Folds: 3}, Workers: workers}
				})
			})
		}
	}
}
