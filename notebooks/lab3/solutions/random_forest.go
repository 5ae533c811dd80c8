package solutions

import (
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// RandomForestTrain trains k decision trees, each on a bootstrap sample: as many
// rows as there are, drawn with replacement. (Hand-out, task 3.1; feature subsets
// are left to the further exploration.)
func RandomForestTrain(X *mat.Dense, y []int, k int, rng *rand.Rand, opts lab3.TreeOptions) []*lab3.Tree {
	forest := make([]*lab3.Tree, k)
	for t := range forest {
		rows := make([]int, len(y))
		for i := range rows {
			rows[i] = rng.IntN(len(y))
		}
		forest[t] = DecisionTreeTrain(lab3.PickRows(X, rows), lab3.Pick(y, rows), opts)
	}
	return forest
}

// RandomForestPredict lets the trees vote on each row of X. (Hand-out, task 3.2.)
func RandomForestPredict(forest []*lab3.Tree, X *mat.Dense) []int {
	n, _ := X.Dims()
	votes := make([][]int, n)
	for _, member := range forest {
		for i, c := range DecisionTreePredict(member, X) {
			votes[i] = append(votes[i], c)
		}
	}
	predicted := make([]int, n)
	for i := range predicted {
		predicted[i] = lab3.Vote(votes[i], nil)
	}
	return predicted
}
