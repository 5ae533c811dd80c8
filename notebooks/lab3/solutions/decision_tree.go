package solutions

import (
	"slices"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// Misclassification is the weighted share of the labels y that are not cls,
//
//	L = Σ w_i 1(y_i ≠ cls),
//
// with weights of 1/n where none are given. (Hand-out, task 2.1, equation 1.)
func Misclassification(y []int, cls int, weights []float64) float64 {
	loss := 0.0
	for i, c := range y {
		switch {
		case c == cls:
		case weights == nil:
			loss += 1 / float64(len(y))
		default:
			loss += weights[i]
		}
	}
	return loss
}

// rounding is an improvement too small to be told from rounding errors in a sum
// of weights.
const rounding = 1e-12

// DecisionNodeSplit finds by brute force the split that most reduces the
// weighted misclassification below that of calling every sample by the weighted
// vote. (The hand-out's cls defaults to the most common label without the weights,
// which never has a smaller loss.) Thresholds are values of the data, and no side gets fewer than
// opts.MinSize samples. Of equally good splits the one
// with the lowest feature, then the lowest threshold, wins. The second result is
// false where no split improves. (Hand-out, task 2.2.)
func DecisionNodeSplit(X *mat.Dense, y []int, opts lab3.TreeOptions) (lab3.Split, bool) {
	lab3.NeedLabels(X, y)
	opts = opts.WithDefaults()
	weights := opts.WeightsOf(y)
	best, found := lab3.Split{}, false
	bestLoss := Misclassification(y, lab3.Vote(y, weights), weights)
	_, d := X.Dims()
	for feature := range d {
		values := mat.Col(nil, feature, X)
		slices.Sort(values)
		for _, thresh := range slices.Compact(values) {
			if !opts.Allows(X, feature, thresh) {
				continue
			}
			below, above := lab3.Partition(X, feature, thresh)
			y0, w0 := lab3.Pick(y, below), lab3.Pick(weights, below)
			y1, w1 := lab3.Pick(y, above), lab3.Pick(weights, above)
			c0, c1 := lab3.Vote(y0, w0), lab3.Vote(y1, w1)
			loss := Misclassification(y0, c0, w0) + Misclassification(y1, c1, w1)
			if loss < bestLoss-rounding {
				best, bestLoss, found = lab3.Split{Feature: feature, Thresh: thresh, C0: c0, C1: c1}, loss, true
			}
		}
	}
	return best, found
}

// DecisionTreeTrain splits the samples again and again until no split improves,
// a side would get fewer than opts.MinSize samples, or the depth reaches
// opts.MaxDepth.
// (Hand-out, task 2.3.)
func DecisionTreeTrain(X *mat.Dense, y []int, opts lab3.TreeOptions) *lab3.Tree {
	opts = opts.WithDefaults()
	node := &lab3.Tree{Class: lab3.Vote(y, opts.Weights)}
	if opts.Depth >= opts.MaxDepth {
		return node
	}
	split, found := DecisionNodeSplit(X, y, opts)
	if !found {
		return node
	}
	node.Feature, node.Thresh = split.Feature, split.Thresh
	grow := func(rows []int) *lab3.Tree {
		side := opts
		side.Depth, side.Weights = opts.Depth+1, lab3.Pick(opts.Weights, rows)
		return DecisionTreeTrain(lab3.PickRows(X, rows), lab3.Pick(y, rows), side)
	}
	below, above := lab3.Partition(X, split.Feature, split.Thresh)
	node.Below, node.Above = grow(below), grow(above)
	return node
}

// DecisionTreePredict follows the tests of the tree from the root to a leaf for
// each row of X. (Hand-out, task 2.4.)
func DecisionTreePredict(tree *lab3.Tree, X *mat.Dense) []int {
	n, _ := X.Dims()
	predicted := make([]int, n)
	for i := range predicted {
		node := tree
		for !node.Leaf() {
			if X.At(i, node.Feature) < node.Thresh {
				node = node.Below
			} else {
				node = node.Above
			}
		}
		predicted[i] = node.Class
	}
	return predicted
}
