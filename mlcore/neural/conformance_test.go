package neural_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/neural"
)

func TestConformance(t *testing.T) {
	configs := map[string]neural.Config{
		"default":  {Epochs: 60},
		"momentum": {Hidden: []int{12}, Activation: neural.Tanh, Optimizer: neural.Momentum{Nesterov: true}, BatchSize: 16, Epochs: 40},
		"dropout":  {Hidden: []int{30, 20}, Activation: neural.LeakyReLU, Dropout: 0.2, BatchSize: 32, Epochs: 60, LearningRate: 0.01, L1: 1e-4, L2: 1e-4},
		"patience": {Hidden: []int{8}, Activation: neural.Sigmoid, Optimizer: neural.RMSProp{}, LearningRate: 0.02, BatchSize: 8, Patience: 5, Schedule: neural.Cosine{}, Epochs: 60},
	}
	for name, c := range configs {
		config := func(workers int) neural.Config {
			c := c
			c.Workers = workers
			return c
		}
		t.Run("classifier/"+name, func(t *testing.T) {
			// K is the number of outputs, each of which draws its weights.
			mlcoretest.Classifier(t, mlcoretest.Traits{Stochastic: true, CountsClasses: true}, config)
		})
		t.Run("regressor/"+name, func(t *testing.T) {
			mlcoretest.Regressor(t, mlcoretest.Traits{Stochastic: true, MinRows: 2}, config)
		})
	}
}
