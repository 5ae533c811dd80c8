package trees

import (
	"math/rand/v2"

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
