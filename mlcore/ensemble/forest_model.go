package ensemble

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// A Forest is a fitted random forest or ExtraTrees ensemble for classification.
// It is immutable and safe for concurrent use.
type Forest struct {
	features, classes int
	vote              bool
	trees             []*tree.Classifier
	oob               *OutOfBag
	walk              *walk
}

// A RegressionForest is a fitted forest for regression: it predicts the mean of
// its trees. It is immutable and safe for concurrent use.
type RegressionForest struct {
	features int
	trees    []*tree.Regressor
	oob      *OutOfBagRegression
	walk     *walk
}

var (
	_ mlcore.ProbClassifier = (*Forest)(nil)
	_ mlcore.Regressor      = (*RegressionForest)(nil)
)

// NumFeatures is the number of columns that the forest was fitted with.
func (f *Forest) NumFeatures() int { return f.features }

// NumClasses is K: predictions are in 0..K-1.
func (f *Forest) NumClasses() int { return f.classes }

// Trees returns the trees, in the order of their random streams.
func (f *Forest) Trees() []*tree.Classifier { return append([]*tree.Classifier(nil), f.trees...) }

// check validates X against the first tree, which accepts what all do.
func (f *Forest) check(X mat.Matrix) error {
	if err := f.trees[0].CheckX(X); err != nil {
		return fmt.Errorf("ensemble: %w", err)
	}
	return nil
}

// sums adds up what all trees say of each row, in the order of the trees.
func (f *Forest) sums(X mat.Matrix, votes bool) *mat.Dense {
	x := given.Dense(X)
	n, _ := x.Dims()
	sum := mat.NewDense(n, f.classes, nil)
	coded := f.walk.of(n, func() *tree.Coded { return tree.NewCoded(f.trees) })
	_ = par.Chunks(n, blockRows(n, 0), 0, func(lo, hi int) error {
		switch {
		case coded != nil && votes:
			through(coded, len(f.trees), x, lo, hi, func(t int, leaves []int32) { f.trees[t].AddLeafVotes(sum, lo, leaves) })
		case coded != nil:
			through(coded, len(f.trees), x, lo, hi, func(t int, leaves []int32) { f.trees[t].AddLeafProba(sum, lo, leaves) })
		case votes:
			for _, t := range f.trees {
				t.AddVotes(sum, x, lo, hi)
			}
		default:
			for _, t := range f.trees {
				t.AddProba(sum, x, lo, hi)
			}
		}
		return nil
	})
	return sum
}

// Predict returns for each row of X the class of the highest mean probability
// or, under Vote, of most votes; the lowest such on a tie.
func (f *Forest) Predict(X mat.Matrix) ([]int, error) {
	if err := f.check(X); err != nil {
		return nil, err
	}
	return argmaxRows(f.sums(X, f.vote)), nil
}

// PredictProba returns an n×K matrix: the mean of the trees' probabilities or,
// under Vote, the shares of their votes.
func (f *Forest) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := f.check(X); err != nil {
		return nil, err
	}
	p := f.sums(X, f.vote)
	p.Apply(func(_, _ int, v float64) float64 { return v / float64(len(f.trees)) }, p)
	return p, nil
}

// argmaxRows returns for each row the place of its greatest element, the lowest
// such on a tie.
func argmaxRows(m *mat.Dense) []int {
	n, _ := m.Dims()
	best := make([]int, n)
	for i := range n {
		best[i] = kernel.ArgMax(m.RawRowView(i))
	}
	return best
}

// FeatureImportances returns the mean of the trees' impurity importances,
// scaled to sum to 1; see [tree.Classifier.FeatureImportances].
func (f *Forest) FeatureImportances() []float64 { return meanImportances(f.features, f.trees) }

func meanImportances[T interface{ FeatureImportances() []float64 }](d int, trees []T) []float64 {
	mean, sum := make([]float64, d), 0.0
	for _, t := range trees {
		for j, v := range t.FeatureImportances() {
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

// NumFeatures is the number of columns that the forest was fitted with.
func (f *RegressionForest) NumFeatures() int { return f.features }

// Trees returns the trees, in the order of their random streams.
func (f *RegressionForest) Trees() []*tree.Regressor {
	return append([]*tree.Regressor(nil), f.trees...)
}

// Predict returns for each row of X the mean of the trees' predictions.
func (f *RegressionForest) Predict(X mat.Matrix) ([]float64, error) {
	if err := f.trees[0].CheckX(X); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	x := given.Dense(X)
	n, _ := x.Dims()
	y := make([]float64, n)
	coded := f.walk.of(n, func() *tree.Coded { return tree.NewCoded(f.trees) })
	_ = par.Chunks(n, blockRows(n, 0), 0, func(lo, hi int) error {
		if coded != nil {
			through(coded, len(f.trees), x, lo, hi, func(t int, leaves []int32) { f.trees[t].AddLeafValues(y[lo:hi], leaves) })
		} else {
			for _, t := range f.trees {
				t.AddValues(y, x, lo, hi)
			}
		}
		for i := lo; i < hi; i++ {
			y[i] /= float64(len(f.trees))
		}
		return nil
	})
	return y, nil
}

// FeatureImportances returns the mean of the trees' impurity importances,
// scaled to sum to 1.
func (f *RegressionForest) FeatureImportances() []float64 {
	return meanImportances(f.features, f.trees)
}
