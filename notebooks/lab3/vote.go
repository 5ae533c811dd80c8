package lab3

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// noClass stands for a class that the caller leaves open.
const noClass = -1

// Vote returns the commonest label, the lowest of them on a tie. A label counts
// as often as its weight says; nil weights are all 1. Without labels the result
// is -1.
func Vote(y []int, weights []float64) int {
	totals := map[int]float64{}
	for i, c := range y {
		if weights == nil {
			totals[c]++
		} else {
			totals[c] += weights[i]
		}
	}
	best := noClass
	for _, c := range y {
		if best == noClass || totals[c] > totals[best] || (totals[c] == totals[best] && c < best) {
			best = c
		}
	}
	return best
}

// VoteShares is the proportion of the votes that each class gets, a row for each
// sample and a column for each class. votes[t] holds the class codes that voter t
// gives to the samples.
func VoteShares(votes [][]int, classes int) *mat.Dense {
	shares := mat.NewDense(len(votes[0]), classes, nil)
	for _, voter := range votes {
		for i, c := range voter {
			shares.Set(i, c, shares.At(i, c)+1)
		}
	}
	shares.Scale(1/float64(len(votes)), shares)
	return shares
}

// MeanDifference is the mean absolute difference of the elements of two matrices
// of the same shape.
func MeanDifference(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	d.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, &d)
	r, c := d.Dims()
	return mat.Sum(&d) / float64(r*c)
}
