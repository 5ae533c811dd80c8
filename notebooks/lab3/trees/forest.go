package trees

import (
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/notebooks/assess"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// Bagged grows k trees as the hand-out's forest has them, each on as many rows as X has,
// drawn at random with replacement. It returns the trees and, for each of them, the
// rows that were drawn. The rows are all that is drawn from rng, tree by tree.
func Bagged(X *mat.Dense, y []int, k int, rng *rand.Rand, opts lab3.TreeOptions) (grown []*lab3.Tree, bags [][]int) {
	for range k {
		var bag []int
		for range y {
			bag = append(bag, rng.IntN(len(y)))
		}
		bags = append(bags, bag)
		grown = append(grown, Grow(lab3.PickRows(X, bag), lab3.Pick(y, bag), opts))
	}
	return grown, bags
}

// Majority is the [lab3.Vote] of trees of [Grow] on each row of X.
func Majority(of []*lab3.Tree, X *mat.Dense) []int {
	said := make([][]int, len(of))
	for t := range of {
		said[t] = Predict(of[t], X)
	}
	n, _ := X.Dims()
	winners, ballot := make([]int, n), make([]int, len(of))
	for i := range winners {
		for t := range said {
			ballot[t] = said[t][i]
		}
		winners[i] = lab3.Vote(ballot, nil)
	}
	return winners
}

// Same reports whether all trees print the same text.
func Same(of []*lab3.Tree) bool {
	for _, tree := range of {
		if tree.String() != of[0].String() {
			return false
		}
	}
	return true
}

// WorstError is the highest error rate that one of the trees of [Grow] has on the rows of X,
// whose class codes are y.
func WorstError(of []*lab3.Tree, X *mat.Dense, y []int) (rate float64) {
	for _, tree := range of {
		rate = max(rate, assess.ErrorRate(Predict(tree, X), y))
	}
	return rate
}
