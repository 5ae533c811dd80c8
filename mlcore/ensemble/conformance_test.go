package ensemble_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

var (
	smallTree           = mlcore.LearnClassifier(tree.Config{MaxDepth: 4}.FitClassifier)
	smallRegressionTree = mlcore.LearnRegressor(tree.Config{MaxDepth: 4}.FitRegressor)
)

var (
	draws      = mlcoretest.Traits{TakesCategories: true, Stochastic: true}
	threeKinds = []int{3, 0, 4}
)

func TestForestConformance(t *testing.T) {
	categories := draws
	categories.Levels = threeKinds
	for name, s := range map[string]struct {
		traits mlcoretest.Traits
		config ensemble.ForestConfig
	}{
		"plain":       {draws, ensemble.ForestConfig{OutOfBag: true}},
		"categorical": {categories, ensemble.ForestConfig{}},
		"vote":        {draws, ensemble.ForestConfig{MaxFeatures: tree.AllFeatures, Voting: ensemble.HardVoting, Tree: tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast}}},
	} {
		with := func(workers int) ensemble.ForestConfig {
			c := s.config
			c.Estimators, c.Workers = 12, workers
			return c
		}
		t.Run("classifier/"+name, func(t *testing.T) { mlcoretest.Classifier(t, s.traits, with) })
		if s.config.Voting != ensemble.HardVoting {
			t.Run("regressor/"+name, func(t *testing.T) { mlcoretest.Regressor(t, s.traits, with) })
		}
	}
	extra := func(workers int) ensemble.ExtraTreesConfig {
		return ensemble.ExtraTreesConfig{Estimators: 12, Workers: workers}
	}
	t.Run("classifier/ExtraTrees", func(t *testing.T) { mlcoretest.Classifier(t, draws, extra) })
	t.Run("regressor/ExtraTrees", func(t *testing.T) { mlcoretest.Regressor(t, draws, extra) })
}

func TestAdaBoostConformance(t *testing.T) {
	two := mlcoretest.Traits{TakesCategories: true, NeedsTwoClasses: true, Binary: true}
	t.Run("two classes", func(t *testing.T) {
		mlcoretest.Classifier(t, two, func(workers int) ensemble.AdaBoostConfig {
			return ensemble.AdaBoostConfig{Estimators: 8, Workers: workers}
		})
	})
	t.Run("SAMME", func(t *testing.T) {
		traits := mlcoretest.Traits{TakesCategories: true, NeedsTwoClasses: true}
		mlcoretest.Classifier(t, traits, func(workers int) ensemble.AdaBoostConfig {
			return ensemble.AdaBoostConfig{Estimators: 6, Tree: tree.Config{MaxDepth: 2}, Workers: workers}
		})
	})
	t.Run("any learner", func(t *testing.T) {
		traits := mlcoretest.Traits{TakesCategories: true, NeedsTwoClasses: true}
		mlcoretest.Classifier(t, traits, func(int) ensemble.AdaBoostConfig {
			return ensemble.AdaBoostConfig{Estimators: 4, Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 2}.FitClassifier)}
		})
	})
}

func TestBaggingConformance(t *testing.T) {
	t.Run("classifier", func(t *testing.T) {
		mlcoretest.Classifier(t, draws, func(workers int) ensemble.BaggingConfig {
			return ensemble.BaggingConfig{Workers: workers, Learner: smallTree}
		})
	})
	t.Run("regressor", func(t *testing.T) {
		mlcoretest.Regressor(t, draws, func(workers int) ensemble.BaggingConfig {
			return ensemble.BaggingConfig{Workers: workers, RegressorLearner: smallRegressionTree}
		})
	})
	t.Run("categories, some columns", func(t *testing.T) {
		traits := draws
		traits.Levels = threeKinds
		mlcoretest.Classifier(t, traits, func(workers int) ensemble.BaggingConfig {
			return ensemble.BaggingConfig{Estimators: 20, Workers: workers, FeaturesPerEstimator: 2, Learner: smallTree}
		})
	})
}

func TestVotingConformance(t *testing.T) {
	t.Run("trees", func(t *testing.T) {
		mlcoretest.Classifier(t, mlcoretest.Traits{TakesCategories: true}, func(workers int) ensemble.VotingConfig {
			entropy := mlcore.LearnClassifier(tree.Config{Criterion: tree.Entropy}.FitClassifier)
			return ensemble.VotingConfig{Workers: workers, Voting: ensemble.SoftVoting, Learners: []mlcore.ClassifierLearner{smallTree, entropy}}
		})
	})
	t.Run("a tree, naive Bayes and a logistic regression", func(t *testing.T) {
		traits := mlcoretest.Traits{NeedsTwoClasses: true, Tol: 1e-7}
		mlcoretest.Classifier(t, traits, func(workers int) ensemble.VotingConfig {
			return ensemble.VotingConfig{Workers: workers, Voting: ensemble.SoftVoting, Weights: []float64{1, 2, 3}, Learners: []mlcore.ClassifierLearner{
				smallTree, mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier), mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier),
			}}
		})
	})
	t.Run("regressor", func(t *testing.T) {
		mlcoretest.Regressor(t, mlcoretest.Traits{TakesCategories: true}, func(workers int) ensemble.VotingConfig {
			full := mlcore.LearnRegressor(tree.Config{}.FitRegressor)
			return ensemble.VotingConfig{Workers: workers, RegressorLearners: []mlcore.RegressorLearner{smallRegressionTree, full}}
		})
	})
}

func TestStackingConformance(t *testing.T) {
	// Folds are drawn: rows in another order, or repeated, are other folds.
	traits := mlcoretest.Traits{TakesCategories: true, Stochastic: true, MinRows: 5}
	classes := traits
	classes.NeedsTwoClasses = true
	t.Run("classifier", func(t *testing.T) {
		mlcoretest.Classifier(t, classes, func(workers int) ensemble.StackingConfig {
			return ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{smallTree}, Splitter: modelsel.KFold{Folds: 3, Shuffle: true}, Workers: workers}
		})
	})
	t.Run("passthrough", func(t *testing.T) {
		mlcoretest.Classifier(t, traits, func(workers int) ensemble.StackingConfig {
			return ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{smallTree, smallTree}, FinalLearner: smallTree, Passthrough: true, Splitter: modelsel.KFold{Shuffle: true}, Workers: workers}
		})
	})
	t.Run("regressor", func(t *testing.T) {
		mlcoretest.Regressor(t, traits, func(workers int) ensemble.StackingConfig {
			return ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{smallRegressionTree, smallRegressionTree}, Workers: workers}
		})
	})
}
