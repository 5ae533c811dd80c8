package lab3

import (
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
)

// ForestLearner makes one function of a student's two: it trains a forest of k trees
// with the hand-out's defaults and the random numbers of a seed, and predicts with it,
// as package assess wants it for class maps and error rates.
func ForestLearner(train func(X *mat.Dense, y []int, k int, rng *rand.Rand, opts TreeOptions) []*Tree,
	predict func(forest []*Tree, X *mat.Dense) []int, k int, seed uint64) assess.FitPredict {
	return func(ds *mlcore.Dataset, X *mat.Dense) []int {
		return predict(train(ds.X, ds.Y, k, mlcore.NewRand(seed), TreeOptions{}), X)
	}
}

// FirstQuestions draws what the roots of trees ask: a histogram of thresholds for each
// feature, with the same axes. Roots that are leaves do not count.
func FirstQuestions(roots []*Tree, features []string) ([]plotx.Figure, error) {
	var thresholds []float64
	var asked []int
	for _, root := range roots {
		if !root.Leaf() {
			thresholds, asked = append(thresholds, root.Thresh), append(asked, root.Feature)
		}
	}
	panels, err := plotx.Histograms("threshold of the first question", thresholds, asked, features, 30)
	for _, p := range panels {
		if p, ok := p.(*plotx.Panel); ok {
			p.Y.Label.Text = "trees"
		}
	}
	return panels, err
}

// Overlapping is a generated data set, drawn anew for each seed, and 1000 test samples
// from the same source: 300 samples of five classes with much overlap, of ten features
// each. The classes are normal, with a standard deviation of 1.5 in each feature, around
// centres that are standard normal.
func Overlapping(seed uint64) (train, test *mlcore.Dataset) {
	rng, centres := mlcore.NewRand(seed), mat.NewDense(5, 10, nil)
	centres.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, centres)
	return datasets.MakeBlobs(300, centres, 1.5, 2*seed), datasets.MakeBlobs(1000, centres, 1.5, 2*seed+1)
}
