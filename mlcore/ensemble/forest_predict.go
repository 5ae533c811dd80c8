package ensemble

import (
	"fmt"
	"sync"
	"sync/atomic"

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
	small    *smallForm
}

func newGrove[T interface{ Tree() *flattree.Tree }](features int, trees []T) grove[T] {
	return grove[T]{features: features, trees: trees, small: new(smallForm)}
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

// pass lets every row of X pass through all trees, in order: rows, of a run of
// rows from lo to hi-1, or leaves, of the leaves of those from lo on, is called
// for each tree. Runs of rows pass in parallel.
func (g *grove[T]) pass(X *mat.Dense, rows func(t T, lo, hi int), leaves func(t T, lo int, leaves []int32)) {
	n, _ := X.Dims()
	coded := g.small.of(n, func() *flattree.Coded { return flattree.NewCoded(g.trees) })
	par.Sure(par.Chunks(n, blockRows(n, 0), 0, func(lo, hi int) error {
		if coded == nil {
			for _, t := range g.trees {
				rows(t, lo, hi)
			}
			return nil
		}
		codes, at := coded.Encode(nil, X, lo, hi), make([]int32, hi-lo)
		for k, t := range g.trees {
			coded.Apply(at, k, codes)
			leaves(t, lo, at)
		}
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

// codedAfter is after how many rows a forest's trees are made small. That takes
// about as long as it saves on as many.
const codedAfter = 4096

// A smallForm is the small form of a forest's trees, made once enough rows have
// been predicted. Predictions are the same with and without.
type smallForm struct {
	rows  atomic.Int64
	once  sync.Once
	coded *flattree.Coded // nil where the trees have none
}

// of returns the small form for n more rows, as code makes it, or nil.
func (s *smallForm) of(n int, code func() *flattree.Coded) *flattree.Coded {
	if s.rows.Load() < codedAfter && s.rows.Add(int64(n)) <= codedAfter {
		return nil
	}
	s.once.Do(func() { s.coded = code() })
	return s.coded
}
