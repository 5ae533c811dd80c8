package ada511

import (
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neural"
)

// Trees returns the histogram boosting that notebook 5 chooses.
func Trees() ensemble.HistBoostingConfig {
	return ensemble.HistBoostingConfig{Rounds: 100, LearningRate: 0.05, MaxLeaves: 16, AllowMissing: true}
}

// Network returns the network that notebook 10 chooses, for one-hot columns.
func Network() neural.Config {
	return neural.Config{Hidden: []int{16}, Epochs: 100, ValidationFraction: 0.15, Patience: 5, Seed: 1}
}
