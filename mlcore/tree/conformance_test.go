package tree_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

func TestConformance(t *testing.T) {
	levels := []int{3, 4, 0}
	classifiers := map[string]struct {
		c      tree.Config
		traits mlcoretest.Traits
	}{
		"default":           {tree.Config{}, mlcoretest.Traits{}},
		"entropy":           {tree.Config{Criterion: tree.Entropy, MaxDepth: 4}, mlcoretest.Traits{}},
		"misclassification": {tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast}, mlcoretest.Traits{}},
		"best first":        {tree.Config{MaxLeafNodes: 6}, mlcoretest.Traits{}},
		"random":            {tree.Config{Splitter: tree.Random, MaxFeatures: 2}, mlcoretest.Traits{Stochastic: true}},
		"candidates":        {tree.Config{RandomCandidates: 5}, mlcoretest.Traits{Stochastic: true}},
		"categories":        {tree.Config{Levels: levels}, mlcoretest.Traits{Levels: levels}},
		"missing":           {tree.Config{AllowMissing: true}, mlcoretest.Traits{AllowsMissing: true}},
	}
	for name, k := range classifiers {
		t.Run("classifier/"+name, func(t *testing.T) {
			mlcoretest.Classifier(t, mlcoretest.ClassifierSpec{Traits: k.traits,
				Learn: func(workers int) mlcore.ClassifierLearner {
					c := k.c
					c.Workers = workers
					return mlcore.LearnClassifier(c.FitClassifier)
				},
				Decode: codectest.DecodeClassifier[tree.Classifier],
			})
		})
	}
	regressors := map[string]struct {
		c      tree.Config
		traits mlcoretest.Traits
	}{
		"default":        {tree.Config{}, mlcoretest.Traits{}},
		"absolute error": {tree.Config{Criterion: tree.AbsoluteError, MaxDepth: 4}, mlcoretest.Traits{}},
		"random":         {tree.Config{Splitter: tree.Random}, mlcoretest.Traits{Stochastic: true}},
		"categories":     {tree.Config{Levels: levels}, mlcoretest.Traits{Levels: levels}},
	}
	for name, k := range regressors {
		t.Run("regressor/"+name, func(t *testing.T) {
			mlcoretest.Regressor(t, mlcoretest.RegressorSpec{Traits: k.traits,
				Learn: func(workers int) mlcore.RegressorLearner {
					c := k.c
					c.Workers = workers
					return mlcore.LearnRegressor(c.FitRegressor)
				},
				Decode: codectest.DecodeRegressor[tree.Regressor],
			})
		})
	}
}
