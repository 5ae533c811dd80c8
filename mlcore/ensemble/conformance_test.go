package ensemble_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

func TestConformance(t *testing.T) {
	levels := []int{3, 0, 4}
	forest := func(data []byte) (mlcore.Classifier, error) {
		m := new(ensemble.Forest)
		return m, m.UnmarshalBinary(data)
	}
	boost := func(data []byte) (mlcore.Classifier, error) {
		m := new(ensemble.AdaBoost)
		return m, m.UnmarshalBinary(data)
	}
	for name, spec := range map[string]mlcoretest.ClassifierSpec{
		"random forest": {Traits: mlcoretest.Traits{Stochastic: true}, Decode: forest,
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(ensemble.ForestConfig{Trees: 12, Workers: workers, OutOfBag: true}.FitClassifier)
			}},
		"categorical forest": {Traits: mlcoretest.Traits{Stochastic: true, Levels: levels}, Decode: forest,
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(ensemble.ForestConfig{Trees: 12, Workers: workers, Tree: tree.Config{Levels: levels}}.FitClassifier)
			}},
		"lab forest": {Traits: mlcoretest.Traits{Stochastic: true}, Decode: forest,
			Learn: func(workers int) mlcore.ClassifierLearner {
				c := ensemble.LabForest(12, 1, 10, 3)
				c.Workers = workers
				return mlcore.LearnClassifier(c.FitClassifier)
			}},
		"ExtraTrees": {Traits: mlcoretest.Traits{Stochastic: true}, Decode: forest,
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(ensemble.ExtraTreesConfig{Trees: 12, Workers: workers}.FitClassifier)
			}},
		"AdaBoost": {Traits: mlcoretest.Traits{NeedsTwoClasses: true, Binary: true}, Decode: boost,
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(ensemble.AdaBoostConfig{Rounds: 8, Base: tree.Config{Workers: workers}}.FitClassifier)
			}},
	} {
		t.Run("classifier/"+name, func(t *testing.T) { mlcoretest.Classifier(t, spec) })
	}
	for name, learn := range map[string]func(workers int) mlcore.RegressorLearner{
		"random forest": func(workers int) mlcore.RegressorLearner {
			return mlcore.LearnRegressor(ensemble.ForestConfig{Trees: 12, Workers: workers}.FitRegressor)
		},
		"ExtraTrees": func(workers int) mlcore.RegressorLearner {
			return mlcore.LearnRegressor(ensemble.ExtraTreesConfig{Trees: 12, Workers: workers}.FitRegressor)
		},
	} {
		t.Run("regressor/"+name, func(t *testing.T) {
			mlcoretest.Regressor(t, mlcoretest.RegressorSpec{Traits: mlcoretest.Traits{Stochastic: true}, Learn: learn,
				Decode: func(data []byte) (mlcore.Regressor, error) {
					m := new(ensemble.RegressionForest)
					return m, m.UnmarshalBinary(data)
				}})
		})
	}
}
