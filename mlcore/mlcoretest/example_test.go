package mlcoretest_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// The battery is called from a test of the estimator's package. The configuration is
// made anew for each number of workers, so that the results can be compared.
func ExampleClassifier() {
	_ = func(t *testing.T) { // func TestConformance(t *testing.T)
		mlcoretest.Classifier(t, mlcoretest.Traits{CountsRows: true}, func(workers int) neighbors.Config {
			return neighbors.Config{Neighbors: 3, Workers: workers}
		})
	}
}

// An estimator that differs in nothing has zero Traits.
func ExampleRegressor() {
	_ = func(t *testing.T) { // func TestConformance(t *testing.T)
		mlcoretest.Regressor(t, mlcoretest.Traits{}, func(workers int) linear.RidgeConfig {
			return linear.RidgeConfig{Alpha: 1, Workers: workers}
		})
	}
}
