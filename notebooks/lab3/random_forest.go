package lab3

import (
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// RandomForestTrain trains k decision trees, each on a bootstrap sample: as many
// rows as there are, drawn with replacement. (Hand-out, task 3.1; feature subsets
// are left to the further exploration.)
func RandomForestTrain(X *mat.Dense, y []int, k int, rng *rand.Rand, minSize, maxDepth int) []*Tree {
	// BEGIN SOLUTION
	forest := make([]*Tree, k)
	for t := range forest {
		rows := make([]int, len(y))
		for i := range rows {
			rows[i] = rng.IntN(len(y))
		}
		forest[t] = DecisionTreeTrain(takeRows(X, rows), pick(y, rows), NoClass, nil, minSize, 0, maxDepth)
	}
	return forest
	// END SOLUTION
}

// RandomForestPredict lets the trees vote on each row of X. (Hand-out, task 3.2.)
func RandomForestPredict(forest []*Tree, X *mat.Dense) []int {
	// BEGIN SOLUTION
	n, _ := X.Dims()
	votes := make([][]int, n)
	for _, member := range forest {
		for i, c := range DecisionTreePredict(member, X) {
			votes[i] = append(votes[i], c)
		}
	}
	predicted := make([]int, n)
	for i := range predicted {
		predicted[i] = Vote(votes[i], nil)
	}
	return predicted
	// END SOLUTION
}

// ForestConfig is the hand-out's forest as mlcore grows it: bootstrap samples, no
// choice of features, splits that lower the misclassification error with the test
// feature >= threshold, and a majority vote. The hand-out's defaults are minSize 3
// and maxDepth 10.
func ForestConfig(trees, minSize, maxDepth int, seed uint64) ensemble.ForestConfig {
	return ensemble.ForestConfig{
		Trees: trees, MaxFeatures: ensemble.AllFeatures, Vote: true, Seed: seed,
		Tree: tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast, MinSamplesLeaf: minSize, MaxDepth: maxDepth},
	}
}
