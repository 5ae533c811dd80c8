package ensemble_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

func TestGradientBoostingConformance(t *testing.T) {
	type config = ensemble.GradientBoostingConfig
	with := func(c config) func(workers int) config {
		return func(workers int) config {
			c.Estimators, c.Workers = 8, workers
			return c
		}
	}
	many := mlcoretest.Traits{TakesCategories: true, CountsClasses: true}
	two, sampled, categories, missing := many, many, many, many
	two.Binary, sampled.Stochastic, categories.Levels, missing.AllowsMissing = true, true, threeKinds, true
	for name, s := range map[string]struct {
		traits mlcoretest.Traits
		config config
	}{
		"plain":       {many, config{}},
		"two classes": {two, config{}},
		"sampled":     {sampled, config{Subsample: 0.7}},
		"categories":  {categories, config{}},
		"missing":     {missing, config{Tree: tree.Config{AllowMissing: true}}},
	} {
		t.Run("classifier/"+name, func(t *testing.T) { mlcoretest.Classifier(t, s.traits, with(s.config)) })
	}
	for name, c := range map[string]config{
		"squared":  {},
		"absolute": {Loss: ensemble.Absolute{}},
		"Huber":    {Loss: ensemble.Huber{}},
	} {
		t.Run("regressor/"+name, func(t *testing.T) {
			mlcoretest.Regressor(t, mlcoretest.Traits{TakesCategories: true}, with(c))
		})
	}
}

func TestHistBoostingConformance(t *testing.T) {
	type config = ensemble.HistBoostingConfig
	with := func(c config) func(workers int) config {
		return func(workers int) config {
			if c.Estimators == 0 {
				c.Estimators = 8
			}
			if c.MinSamplesLeaf == 0 {
				c.MinSamplesLeaf = 5
			}
			c.Workers = workers
			return c
		}
	}
	rows := mlcoretest.Traits{TakesCategories: true, CountsRows: true}
	two, categories, missing := rows, rows, rows
	two.Binary, categories.Levels, missing.AllowsMissing = true, threeKinds, true
	for name, s := range map[string]struct {
		traits mlcoretest.Traits
		config config
	}{
		"plain":         {rows, config{}},
		"two classes":   {two, config{}},
		"weights":       {mlcoretest.Traits{TakesCategories: true, Binary: true, Tol: 1e-6}, config{MinSamplesLeaf: 1, L2: 1}},
		"depth-wise":    {rows, config{Growth: ensemble.DepthWise}},
		"sampled":       {mlcoretest.Traits{TakesCategories: true, Stochastic: true, CountsClasses: true}, config{Subsample: 0.7, FeaturesPerEstimator: 2}},
		"categories":    {categories, config{}},
		"missing":       {missing, config{AllowMissing: true}},
		"monotone":      {two, config{Monotone: []int{1, 0, 1}}},
		"stopped early": {mlcoretest.Traits{TakesCategories: true, Stochastic: true, MinRows: 3}, config{Estimators: 20, ValidationFraction: 0.4, Patience: 2}},
	} {
		t.Run("classifier/"+name, func(t *testing.T) { mlcoretest.Classifier(t, s.traits, with(s.config)) })
	}
	for name, c := range map[string]config{
		"squared":   {},
		"absolute":  {Loss: ensemble.Absolute{}},
		"Huber":     {Loss: ensemble.Huber{Delta: 0.5}},
		"penalties": {L1: 0.5, L2: 2},
	} {
		t.Run("regressor/"+name, func(t *testing.T) { mlcoretest.Regressor(t, rows, with(c)) })
	}
}
