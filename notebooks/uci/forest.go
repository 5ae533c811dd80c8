package uci

import (
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// forestConfig is the report's forest with binary trees in place of ID3's: each
// tree sees a random third of the rows and a random subset of the given number of
// attributes, and the trees vote.
func forestConfig(trees, attributes int, seed uint64) ensemble.ForestConfig {
	return ensemble.ForestConfig{
		Estimators: trees, MaxFeatures: tree.AllFeatures, FeaturesPerEstimator: attributes,
		Sampling: ensemble.WithoutReplacement, Subsample: treeShare, Voting: ensemble.HardVoting, Seed: seed,
		Tree: tree.Config{Criterion: tree.Entropy},
	}
}
