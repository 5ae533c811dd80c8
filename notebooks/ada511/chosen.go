package ada511

import (
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neural"
)

// Trees returns the histogram boosting that notebook 5 chooses, for one-hot columns.
func Trees() ensemble.HistBoostingConfig {
	return ensemble.HistBoostingConfig{Estimators: 200, LearningRate: 0.2, MaxLeafNodes: 3, AllowMissing: true}
}

// Network returns the network that notebook 10 chooses, for one-hot columns.
func Network() neural.Config { return networkOf(32, 0.001, 0) }

// networkOf returns the network of a place in the grid that notebook 10 searches.
func networkOf(hidden, l2 float64, seed uint64) neural.Config {
	return neural.Config{Hidden: []int{int(hidden)}, L2: l2, Epochs: 100, ValidationFraction: 0.15, Patience: 5, Seed: seed}
}
