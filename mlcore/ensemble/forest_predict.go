package ensemble

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A grove is what forests of classification and of regression share.
type grove[T interface{ Tree() *flattree.Tree }] struct {
	described
	features int
	trees    []T
	walk     *flattree.Trees // trees, as rows pass through them
}

func newGrove[T interface{ Tree() *flattree.Tree }](features int, trees []T) grove[T] {
	return grove[T]{features: features, trees: trees, walk: flattree.NewTrees(trees)}
}

// NumFeatures is the number of columns that the forest was fitted with.
func (g *grove[T]) NumFeatures() int { return g.features }

// FeatureImportances returns the mean of the trees' impurity importances,
// scaled to sum to 1; see [tree.Classifier.FeatureImportances].
func (g *grove[T]) FeatureImportances() []float64 {
	mean, sum := make([]float64, g.features), 0.0
	for _, t := range g.trees {
		for j, v := range t.Tree().FeatureImportances() {
			mean[j] += v
			sum += v
		}
	}
	if sum > 0 {
		for j := range mean {
			mean[j] /= sum
		}
	}
	return mean
}

// check validates X against the first tree, which accepts what all do.
func (g *grove[T]) check(X mat.Matrix) error {
	err := mlcore.CheckFeatures(X, g.features)
	if err == nil {
		err = g.trees[0].Tree().Check(X)
	}
	if err != nil {
		return fmt.Errorf("ensemble: %w", err)
	}
	return nil
}

// pass lets every row of X pass through all trees, in order: leaves is called with the
// leaves that rows from one on reach in a tree. Runs of rows pass in parallel.
func (g *grove[T]) pass(X *mat.Dense, leaves func(t T, from int, leaves []int32)) {
	n, _ := X.Dims()
	g.walk.Expect(n)
	par.Sure(par.Chunks(n, blockRows(n, 0), 0, func(lo, hi int) error {
		g.walk.Pass(X, lo, hi, func(k, from int, at []int32) { leaves(g.trees[k], from, at) })
		return nil
	}))
}

// blockRows is how many of n rows pass through all trees at a time. The nodes of
// a large forest do not fit in a processor's cache, and are visited in no order
// that it could foresee, so each tree serves many rows while it is there; the rows
// and their sums are read in order. Every worker gets a block where there are rows
// enough.
func blockRows(n, workers int) int {
	const least, most = 256, 2048
	each := (n + par.Workers(workers) - 1) / par.Workers(workers)
	return min(max(each, least), most)
}
