package solutions

import (
	"math"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// AdaBoostTrain trains up to k weak learners on labels 0 and 1, each on weights
// that favour what its predecessors got wrong, and returns them with their
// prediction weights alpha = log((1-e)/e). (Hand-out, task 4.1, algorithm 1.)
//
// Training stops once the weighted error e falls below opts.Epsilon: that learner is
// right about everything that still counts, so it is kept, with the alpha of an
// error of opts.Epsilon, and no weight would change after it. It also stops, without
// keeping the learner, once e reaches 1/2: alpha would be 0 and the next round
// the same again.
func AdaBoostTrain(X *mat.Dense, y []int, k int, opts lab3.AdaBoostOptions) (trees []*lab3.Tree, alphas []float64) {
	opts = opts.WithDefaults()
	weights := lab3.TreeOptions{}.WeightsOf(y)
	for range k {
		tree := DecisionTreeTrain(X, y, lab3.TreeOptions{Weights: weights, MinSize: opts.MinSize, MaxDepth: opts.MaxDepth})
		wrong := wrongRows(DecisionTreePredict(tree, X), y)
		e := floats.Sum(lab3.Pick(weights, wrong))
		if e >= 0.5 {
			break
		}
		alpha := math.Log((1 - max(e, opts.Epsilon)) / max(e, opts.Epsilon))
		trees, alphas = append(trees, tree), append(alphas, alpha)
		if e < opts.Epsilon {
			break
		}
		for _, i := range wrong {
			weights[i] *= math.Exp(alpha)
		}
		floats.Scale(1/floats.Sum(weights), weights)
	}
	return trees, alphas
}

// wrongRows returns the rows at which predicted and y differ.
func wrongRows(predicted, y []int) []int {
	var rows []int
	for i, c := range predicted {
		if c != y[i] {
			rows = append(rows, i)
		}
	}
	return rows
}

// AdaBoostPredict adds up the alphas of the trees that say 1 and subtracts those
// of the trees that say 0; a sum of 0 or more is class 1. (Hand-out, task 4.2,
// equation 2, with the labels 0 and 1 read as -1 and 1.)
func AdaBoostPredict(trees []*lab3.Tree, alphas []float64, X *mat.Dense) []int {
	n, _ := X.Dims()
	sums := make([]float64, n)
	for t, tree := range trees {
		for i, c := range DecisionTreePredict(tree, X) {
			sums[i] += alphas[t] * float64(2*c-1)
		}
	}
	predicted := make([]int, n)
	for i, s := range sums {
		if s >= 0 {
			predicted[i] = 1
		}
	}
	return predicted
}
