// Package trees gives the decision tree and the forest of lab 3's second and third
// notebooks to the notebooks after them, so that nobody needs to have finished those. A
// sample flows in, the hand-out's tree flows out, grown by mlcore, whose trees equal those
// that the hand-out describes, ties included. The names are not those of the notebooks'
// exercises: what is handed out must not look like an answer to them.
package trees

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// Grow grows a decision tree on the rows of X and their class codes
// y. It panics if they cannot be learned from, naming the row.
func Grow(X *mat.Dense, y []int, opts lab3.TreeOptions) *lab3.Tree {
	opts = opts.WithDefaults()
	if opts.Depth >= opts.MaxDepth {
		return &lab3.Tree{Class: lab3.Vote(y, opts.Weights)}
	}
	model, err := lab3.TreeConfig(opts).FitClassifier(mlcore.FromMatrix(X, y, opts.Weights))
	if err != nil {
		panic(fmt.Errorf("trees.Grow: %w", err))
	}
	return lab3.FromModel(model)
}

// Predict is the class of each row of X by a tree of [Grow].
func Predict(tree *lab3.Tree, X *mat.Dense) []int {
	if tree.Leaf() {
		n, _ := X.Dims()
		return slices.Repeat([]int{tree.Class}, n)
	}
	if tree.Model() == nil {
		panic(errors.New("trees.Predict: the tree is not one of trees.Grow"))
	}
	predicted, err := tree.Model().Predict(X)
	if err != nil {
		panic(fmt.Errorf("trees.Predict: %w", err))
	}
	return predicted
}

// Stumps returns trees of one question each, about feature 0: a row is class 1 if
// its value is at least the tree's threshold, and else class 0. They are rules that
// ensembles can be worked by hand with.
func Stumps(thresholds ...float64) []*lab3.Tree {
	stumps := make([]*lab3.Tree, len(thresholds))
	for i, t := range thresholds {
		stumps[i] = Grow(lab3.Column(t-1, t), []int{0, 1}, lab3.TreeOptions{MinSize: 1})
	}
	return stumps
}
