package ada511

import (
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neural"
)

// Trees returns the histogram boosting that notebook 5 chooses, for one-hot columns.
func Trees() ensemble.HistBoostingConfig {
	return ensemble.HistBoostingConfig{Rounds: 200, LearningRate: 0.2, MaxLeaves: 3, AllowMissing: true}
}

// Network returns the network that notebook 10 chooses, for one-hot columns.
func Network() neural.Config {
	return neural.Config{Hidden: []int{32}, L2: 0.001, Epochs: 100, ValidationFraction: 0.15, Patience: 5}
}
