package ada511

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// The folds of the training file: settings are chosen on five, and what was chosen is
// compared on ten others. Both are shuffled, with different seeds, so that the people of
// a fold of the one are spread over all folds of the other. (Without a shuffle each of
// the ten would lie inside one of the five, but for one or two people.)
var (
	toChoose  = modelsel.StratifiedKFold{Folds: 5, Shuffle: true, Seed: 1}
	toCompare = modelsel.StratifiedKFold{Folds: 10, Shuffle: true, Seed: 2}
)

// TenFolds is the error rate of a model on each of ten folds of a data set, which
// are others than the five of Search:
//
//	ada511.TenFolds(tree.Config{MaxDepth: 6}.FitClassifier, train)
//
// Scores of several models on one data set are of the same folds; assess.Compare
// compares them.
func TenFolds[M mlcore.Classifier](learn func(ds *mlcore.Dataset) (M, error), ds *mlcore.Dataset) assess.Scores {
	r, err := modelsel.CrossValidate(learn, ds, modelsel.Options{Splitter: toCompare})
	orPanic(err)
	s := assess.Scores{Folds: toCompare.Folds, Repeats: 1}
	for _, accuracy := range r.Scores[0].Test {
		s.Errors = append(s.Errors, 1-accuracy)
	}
	return s
}

// ahead is by how much the accuracy of a is higher than that of b, in percentage
// points, and half the length of its 95 % interval: that of the corrected t test of
// [assess.Compare].
func ahead(a, b assess.Scores) (points, half float64) {
	c := assess.Compare("", b, "", a)
	if c.T == 0 {
		return 100 * c.Difference, 0
	}
	quantile := distuv.StudentsT{Sigma: 1, Nu: c.DF}.Quantile(0.975)
	return 100 * c.Difference, 100 * quantile * math.Abs(c.Difference/c.T)
}

// HeldOut is the probability of class 1 for every row of a data set, from the model
// of the fold of [TenFolds] that has not seen the row.
func HeldOut[M mlcore.ProbClassifier](learn func(ds *mlcore.Dataset) (M, error), ds *mlcore.Dataset) []float64 {
	p, err := modelsel.CrossValPredictProba(learn, ds, modelsel.Options{Splitter: toCompare})
	orPanic(err)
	return mat.Col(nil, 1, p.Values)
}

// FoldErrors is the error rate of predictions for the rows of a data set on each of
// the folds of [TenFolds]:
//
//	ada511.FoldErrors(predicted, train)
//
// where predicted comes from the probabilities of [HeldOut].
func FoldErrors(predicted []int, ds *mlcore.Dataset) assess.Scores {
	folds, err := toCompare.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	orPanic(err)
	s := assess.Scores{Folds: toCompare.Folds, Repeats: 1}
	for k := range folds.Len() {
		rows, wrong := folds.At(k).Test, 0
		for _, i := range rows {
			if predicted[i] != ds.Y[i] {
				wrong++
			}
		}
		s.Errors = append(s.Errors, float64(wrong)/float64(len(rows)))
	}
	return s
}

// FirstFold parts a data set: the first of the five folds of [Search] is held back,
// and the others are to learn from. Data sets of the same people are parted alike.
func FirstFold(ds *mlcore.Dataset) (fit, held *mlcore.Dataset) {
	folds, err := toChoose.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	orPanic(err)
	return ds.Subset(folds.At(0).Train), ds.Subset(folds.At(0).Test)
}
