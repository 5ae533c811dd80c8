package bayes_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
)

func TestConformance(t *testing.T) {
	levels := []int{3, 4, 3}
	for name, c := range map[string]bayes.CategoricalConfig{
		"default":          {},
		"alpha 0.1":        {Smoothing: bayes.Lidstone(0.1)},
		"no smoothing":     {Smoothing: bayes.Lidstone(0)},
		"attribute count":  {Smoothing: bayes.AttributeCount},
		"uniform prior":    {Prior: bayes.Prior{Uniform: true}},
		"unknowns ignored": {Unknown: mlcore.UnknownIgnore},
	} {
		t.Run("categorical/"+name, func(t *testing.T) {
			mlcoretest.Classifier(t, mlcoretest.Traits{Levels: levels, IgnoresUnknown: c.Unknown == mlcore.UnknownIgnore}, func(workers int) bayes.CategoricalConfig {
				c := c
				c.Workers = workers
				return c
			})
		})
	}
	t.Run("gaussian", func(t *testing.T) {
		mlcoretest.Classifier(t, mlcoretest.Traits{}, func(workers int) bayes.GaussianConfig {
			return bayes.GaussianConfig{Workers: workers}
		})
	})
	t.Run("bernoulli", func(t *testing.T) {
		mlcoretest.Classifier(t, mlcoretest.Traits{}, func(workers int) bayes.BernoulliConfig {
			return bayes.BernoulliConfig{Threshold: 1, Workers: workers}
		})
	})
	t.Run("multinomial", func(t *testing.T) {
		mlcoretest.Classifier(t, mlcoretest.Traits{NonNegative: true}, func(workers int) bayes.MultinomialConfig {
			return bayes.MultinomialConfig{Workers: workers}
		})
	})
	for name, c := range map[string]bayes.LinearDiscriminantConfig{"default": {}, "shrunk": {Shrinkage: 0.2}} {
		t.Run("linear discriminant/"+name, func(t *testing.T) {
			mlcoretest.Classifier(t, mlcoretest.Traits{}, func(workers int) bayes.LinearDiscriminantConfig {
				c := c
				c.Workers = workers
				return c
			})
		})
	}
	t.Run("quadratic discriminant", func(t *testing.T) {
		mlcoretest.Classifier(t, mlcoretest.Traits{}, func(workers int) bayes.QuadraticDiscriminantConfig {
			// A constant column has a covariance with RegParam only.
			return bayes.QuadraticDiscriminantConfig{RegParam: 0.1, Workers: workers}
		})
	})
}
