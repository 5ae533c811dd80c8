package neighbors_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/mlcoretest"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

func TestConformance(t *testing.T) {
	configs := map[string]neighbors.Config{
		"default":   {},
		"brute":     {Neighbors: 3, Search: neighbors.Brute},
		"k-d tree":  {Neighbors: 3, Search: neighbors.KDTree},
		"inverse":   {Neighbors: 7, Weights: neighbors.InverseDistance},
		"gaussian":  {Neighbors: 7, Weights: neighbors.Gaussian},
		"manhattan": {Neighbors: 5, Metric: neighbors.Manhattan},
		"weighted":  {Neighbors: 5, FeatureWeights: []float64{1, 2, 0.5}},
	}
	for name, c := range configs {
		traits := mlcoretest.Traits{MinRows: 3, CountsRows: true}
		config := func(workers int) neighbors.Config {
			c := c
			c.Workers = workers
			return c
		}
		t.Run("classifier/"+name, func(t *testing.T) { mlcoretest.Classifier(t, traits, config) })
		t.Run("regressor/"+name, func(t *testing.T) { mlcoretest.Regressor(t, traits, config) })
	}
}
