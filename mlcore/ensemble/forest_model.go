package ensemble

import (
	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// A Forest is a fitted random forest or ExtraTrees ensemble for classification.
// It is immutable and safe for concurrent use.
type Forest struct {
	grove[*flattree.Classifier]
	classes int
	vote    bool
	oob     *OutOfBag
}

// A RegressionForest is a fitted forest for regression: it predicts the mean of
// its trees. It is immutable and safe for concurrent use.
type RegressionForest struct {
	grove[*flattree.Regressor]
	oob *OutOfBagRegression
}

var (
	_ mlcore.ProbClassifier = (*Forest)(nil)
	_ mlcore.Regressor      = (*RegressionForest)(nil)
)

// NumClasses is K: predictions are in 0..K-1.
func (f *Forest) NumClasses() int { return f.classes }

// Trees returns the trees, in the order of their random streams.
func (f *Forest) Trees() []*tree.Classifier {
	trees := make([]*tree.Classifier, len(f.trees))
	for t, m := range f.trees {
		trees[t] = (*tree.Classifier)(m)
	}
	return trees
}

// sums adds up what all trees say of each row, in the order of the trees: votes,
// or probabilities.
func (f *Forest) sums(X mat.Matrix) *mat.Dense {
	x := given.Dense(X)
	n, _ := x.Dims()
	sum := mat.NewDense(n, f.classes, nil)
	add := (*flattree.Classifier).AddLeafProba
	if f.vote {
		add = (*flattree.Classifier).AddLeafVotes
	}
	f.pass(x, func(t *flattree.Classifier, from int, leaves []int32) { add(t, sum, from, leaves) })
	return sum
}

// Predict returns for each row of X the class of the highest mean probability or, under
// HardVoting, of most votes; the lowest on a tie. [mlcore.Classifier] says what it does
// not check in X.
func (f *Forest) Predict(X mat.Matrix) ([]int, error) {
	if err := f.check(X); err != nil {
		return nil, err
	}
	return argmaxRows(f.sums(X)), nil
}

// PredictProba returns an n×K matrix: the mean of the trees' probabilities or,
// under HardVoting, the shares of their votes.
func (f *Forest) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := f.check(X); err != nil {
		return nil, err
	}
	p := f.sums(X)
	p.Apply(func(_, _ int, v float64) float64 { return v / float64(len(f.trees)) }, p)
	return p, nil
}

// argmaxRows returns for each row the place of its greatest element, the lowest
// on a tie.
func argmaxRows(m *mat.Dense) []int {
	n, _ := m.Dims()
	best := make([]int, n)
	for i := range n {
		best[i] = kernel.ArgMax(m.RawRowView(i))
	}
	return best
}

// Trees returns the trees, in the order of their random streams.
func (f *RegressionForest) Trees() []*tree.Regressor {
	trees := make([]*tree.Regressor, len(f.trees))
	for t, m := range f.trees {
		trees[t] = (*tree.Regressor)(m)
	}
	return trees
}

// Predict returns for each row of X the mean of the trees' predictions.
// [mlcore.Regressor] says what it does not check in X.
func (f *RegressionForest) Predict(X mat.Matrix) ([]float64, error) {
	if err := f.check(X); err != nil {
		return nil, err
	}
	x := given.Dense(X)
	n, _ := x.Dims()
	y := make([]float64, n)
	f.pass(x, func(t *flattree.Regressor, from int, leaves []int32) {
		t.AddLeafValues(y[from:from+len(leaves)], leaves)
	})
	for i := range y {
		y[i] /= float64(len(f.trees))
	}
	return y, nil
}
