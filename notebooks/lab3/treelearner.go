package lab3

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
)

// TreeLearner makes one function of a student's two: it trains a tree with the options
// and predicts with it, as package assess wants it for class maps and error rates.
func TreeLearner(train func(X *mat.Dense, y []int, opts TreeOptions) *Tree,
	predict func(t *Tree, X *mat.Dense) []int, opts TreeOptions) assess.FitPredict {
	return func(ds *mlcore.Dataset, X *mat.Dense) []int {
		return predict(train(ds.X, ds.Y, opts), X)
	}
}

// GrowBy is mlcore's tree of a criterion, with the hand-out's form of the question, its
// MaxDepth of 10 and at least minSize samples in a leaf, as package assess wants it.
func GrowBy(criterion tree.Criterion, minSize int) assess.FitPredict {
	cfg := TreeConfig(TreeOptions{MinSize: minSize})
	cfg.Criterion = criterion
	return assess.Model(cfg.FitClassifier)
}

// A TreeRow says how the hand-out's tree does with some settings.
type TreeRow struct {
	MinSize, MaxDepth, Leaves int
	Training                  float64 `table:"training error"`
	Held                      float64 `table:"cross-validation"`
}

// MeasureTree grows the hand-out's tree by mlcore: its number of leaves, its error rate
// on the samples that it has learned from, and the mean error rate of a ten-fold
// cross-validation that is repeated five times.
func MeasureTree(ds *mlcore.Dataset, opts TreeOptions) (TreeRow, error) {
	opts = opts.WithDefaults()
	cfg := TreeConfig(opts)
	model, err := cfg.FitClassifier(ds)
	if err != nil {
		return TreeRow{}, err
	}
	f := assess.Model(cfg.FitClassifier)
	return TreeRow{MinSize: opts.MinSize, MaxDepth: opts.MaxDepth, Leaves: FromModel(model).Leaves(),
		Training: assess.TrainingError(f, ds), Held: assess.CrossValidation(f, ds, 10, 5, 0).Mean()}, nil
}
