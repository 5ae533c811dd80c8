package linear_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
)

func TestRegressorConformance(t *testing.T) {
	none := mlcoretest.Traits{}
	t.Run("least squares", func(t *testing.T) {
		mlcoretest.Regressor(t, none, func(workers int) linear.LeastSquaresConfig { return linear.LeastSquaresConfig{Workers: workers} })
	})
	t.Run("ridge", func(t *testing.T) {
		mlcoretest.Regressor(t, none, func(workers int) linear.RidgeConfig { return linear.RidgeConfig{Alpha: 1, Workers: workers} })
	})
	t.Run("ridge, no penalty", func(t *testing.T) {
		mlcoretest.Regressor(t, none, func(workers int) linear.RidgeConfig { return linear.RidgeConfig{Workers: workers} })
	})
	t.Run("lasso", func(t *testing.T) {
		mlcoretest.Regressor(t, none, func(workers int) linear.LassoConfig { return linear.LassoConfig{Alpha: 0.05, Workers: workers} })
	})
	t.Run("elastic net", func(t *testing.T) {
		mlcoretest.Regressor(t, none, func(workers int) linear.ElasticNetConfig {
			return linear.ElasticNetConfig{Alpha: 0.05, L1Ratio: 0.3, Workers: workers}
		})
	})
	t.Run("elastic net, no penalty", func(t *testing.T) {
		mlcoretest.Regressor(t, none, func(workers int) linear.ElasticNetConfig { return linear.ElasticNetConfig{Workers: workers} })
	})
}

func TestClassifierConformance(t *testing.T) {
	many := mlcoretest.Traits{NeedsTwoClasses: true}
	binary := mlcoretest.Traits{NeedsTwoClasses: true, Binary: true}
	// A proximal step is itself a descent that stops; where it stops moves with
	// rounding.
	loose := mlcoretest.Traits{NeedsTwoClasses: true, Tol: 1e-7}
	for name, s := range map[string]struct {
		traits mlcoretest.Traits
		config linear.LogisticConfig
	}{
		"logistic":              {many, linear.LogisticConfig{}},
		"logistic, two classes": {binary, linear.LogisticConfig{}},
		"logistic, L-BFGS":      {loose, linear.LogisticConfig{Solver: linear.LBFGS, Tol: 1e-8}},
		"logistic, L1":          {loose, linear.LogisticConfig{Penalty: linear.L1}},
		"logistic, L1, OWL-QN":  {loose, linear.LogisticConfig{Penalty: linear.L1, Solver: linear.LBFGS, Tol: 1e-8}},
		"logistic, elastic":     {loose, linear.LogisticConfig{Penalty: linear.ElasticNetPenalty, L1Ratio: 0.5}},
		"logistic, no penalty":  {loose, linear.LogisticConfig{Penalty: linear.NoPenalty}},
		"logistic, balanced":    {many, linear.LogisticConfig{ClassWeight: mlcore.ClassWeight{Balanced: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			mlcoretest.Classifier(t, s.traits, func(workers int) linear.LogisticConfig {
				c := s.config
				c.Workers = workers
				return c
			})
		})
	}
	for name, s := range map[string]struct {
		binary bool
		config linear.PerceptronConfig
	}{
		"perceptron":                {false, linear.PerceptronConfig{Epochs: 20}},
		"perceptron, two classes":   {true, linear.PerceptronConfig{Epochs: 20}},
		"perceptron, rows in order": {false, linear.PerceptronConfig{Epochs: 20, NoShuffle: true}},
	} {
		t.Run(name, func(t *testing.T) {
			// A row that is shown twice is not one of weight 2, and order matters.
			traits := mlcoretest.Traits{NeedsTwoClasses: true, Stochastic: true, Binary: s.binary}
			mlcoretest.Classifier(t, traits, func(workers int) linear.PerceptronConfig {
				c := s.config
				c.Workers = workers
				return c
			})
		})
	}
}
