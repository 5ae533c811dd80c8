package ensemble_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// small is the member of the ensembles of anything.
var small = struct {
	classifier mlcore.ClassifierLearner
	regressor  mlcore.RegressorLearner
}{
	mlcore.LearnClassifier(tree.Config{MaxDepth: 4}.FitClassifier),
	mlcore.LearnRegressor(tree.Config{MaxDepth: 4}.FitRegressor),
}

func TestConformance(t *testing.T) {
	levels := []int{3, 0, 4}
	forest := codectest.DecodeClassifier[ensemble.Forest]
	boost := codectest.DecodeClassifier[ensemble.AdaBoost]
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
				c := lab
				c.Workers, c.Tree.MinSamplesLeaf = workers, 1
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
		"SAMME": {Traits: mlcoretest.Traits{NeedsTwoClasses: true, CountsClasses: true}, Decode: boost,
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(ensemble.AdaBoostConfig{Rounds: 6, Base: tree.Config{MaxDepth: 2, Workers: workers}}.FitClassifier)
			}},
		"bagging": {Traits: mlcoretest.Traits{Stochastic: true},
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(ensemble.BaggingConfig{Workers: workers, Learner: small.classifier}.FitClassifier)
			},
			Decode: codectest.DecodeClassifier[ensemble.Bagging]},
		"voting": {
			Learn: func(workers int) mlcore.ClassifierLearner {
				return mlcore.LearnClassifier(ensemble.VotingConfig{Workers: workers, Soft: true,
					Learners: []mlcore.ClassifierLearner{small.classifier, mlcore.LearnClassifier(tree.Config{Criterion: tree.Entropy}.FitClassifier)}}.FitClassifier)
			},
			Decode: codectest.DecodeClassifier[ensemble.Voting]},
	} {
		t.Run("classifier/"+name, func(t *testing.T) { mlcoretest.Classifier(t, spec) })
	}
	forestBack := codectest.DecodeRegressor[ensemble.RegressionForest]
	for name, spec := range map[string]mlcoretest.RegressorSpec{
		"random forest": {Traits: mlcoretest.Traits{Stochastic: true}, Decode: forestBack,
			Learn: func(workers int) mlcore.RegressorLearner {
				return mlcore.LearnRegressor(ensemble.ForestConfig{Trees: 12, Workers: workers}.FitRegressor)
			}},
		"ExtraTrees": {Traits: mlcoretest.Traits{Stochastic: true}, Decode: forestBack,
			Learn: func(workers int) mlcore.RegressorLearner {
				return mlcore.LearnRegressor(ensemble.ExtraTreesConfig{Trees: 12, Workers: workers}.FitRegressor)
			}},
		"bagging": {Traits: mlcoretest.Traits{Stochastic: true},
			Learn: func(workers int) mlcore.RegressorLearner {
				return mlcore.LearnRegressor(ensemble.BaggingConfig{Workers: workers, RegressorLearner: small.regressor}.FitRegressor)
			},
			Decode: codectest.DecodeRegressor[ensemble.BaggingRegressor]},
		"voting": {
			Learn: func(workers int) mlcore.RegressorLearner {
				return mlcore.LearnRegressor(ensemble.VotingConfig{Workers: workers,
					RegressorLearners: []mlcore.RegressorLearner{small.regressor, mlcore.LearnRegressor(tree.Config{}.FitRegressor)}}.FitRegressor)
			},
			Decode: codectest.DecodeRegressor[ensemble.VotingRegressor]},
	} {
		t.Run("regressor/"+name, func(t *testing.T) { mlcoretest.Regressor(t, spec) })
	}
}
