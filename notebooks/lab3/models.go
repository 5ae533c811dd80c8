package lab3

import (
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// TreeConfig is the hand-out's decision tree as mlcore grows it: tests of the form
// feature >= threshold that lower the misclassification error. The weights of the
// options are not part of it; they go to Fit.
func TreeConfig(opts TreeOptions) tree.Config {
	opts = opts.WithDefaults()
	return tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast,
		MinSamplesLeaf: opts.MinSize, MaxDepth: opts.MaxDepth - opts.Depth}
}

// ForestConfig is the hand-out's forest as mlcore grows it: bootstrap samples, no
// choice of features, and a majority vote of trees as those of [TreeConfig].
func ForestConfig(trees int, opts TreeOptions, seed uint64) ensemble.ForestConfig {
	return ensemble.ForestConfig{Estimators: trees, MaxFeatures: tree.AllFeatures, Voting: ensemble.HardVoting, Seed: seed,
		Tree: TreeConfig(opts)}
}
