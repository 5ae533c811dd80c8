package ada511

import (
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// Tree returns the tree that notebook 5 chooses.
func Tree() tree.Config {
	return tree.Config{MaxDepth: 8, MinSamplesLeaf: 20, AllowMissing: true}
}

// Forest returns the random forest that notebook 5 chooses.
func Forest(seed uint64) ensemble.ForestConfig { return forestOf(3, 32, seed) }

// forestOf returns the forest of a place in the grid that notebook 5 searches.
func forestOf(features, leaf float64, seed uint64) ensemble.ForestConfig {
	return ensemble.ForestConfig{Estimators: 20, MaxFeatures: int(features), Seed: seed,
		Tree: tree.Config{MinSamplesLeaf: int(leaf), AllowMissing: true}}
}

// Boosting returns the gradient boosting that notebook 5 chooses.
func Boosting() ensemble.GradientBoostingConfig {
	return ensemble.GradientBoostingConfig{Estimators: 50, LearningRate: 0.2,
		Tree: tree.Config{MaxDepth: 2, AllowMissing: true}}
}

// Histograms returns the histogram boosting that notebook 5 chooses, for categories.
func Histograms() ensemble.HistBoostingConfig {
	return ensemble.HistBoostingConfig{Estimators: 200, LearningRate: 0.2, MaxLeafNodes: 3, AllowMissing: true}
}

// Trees returns the histogram boosting that notebook 5 chooses, for one-hot columns.
func Trees() ensemble.HistBoostingConfig {
	return ensemble.HistBoostingConfig{Estimators: 300, LearningRate: 0.2, MaxLeafNodes: 3, AllowMissing: true}
}

// Network returns the network that notebook 10 chooses, for one-hot columns.
func Network() neural.Config { return networkOf(64, 0.001, 0) }

// networkOf returns the network of a place in the grid that notebook 10 searches.
func networkOf(hidden, l2 float64, seed uint64) neural.Config {
	return neural.Config{Hidden: []int{int(hidden)}, L2: l2, Epochs: 100, ValidationFraction: 0.15, Patience: 5, Seed: seed}
}
