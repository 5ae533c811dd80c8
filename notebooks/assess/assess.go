package assess

import (
	"errors"
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// A FitPredict learns from a data set and predicts a class code for each row of X.
// Its answer has to depend on its arguments alone: folds are worked on at the same
// time, so that one that draws at random makes its generator inside, from a seed.
//
//	func ourTree(train *mlcore.Dataset, X *mat.Dense) []int {
//		return DecisionTreePredict(DecisionTreeTrain(train.X, train.Y, opts), X)
//	}
type FitPredict func(train *mlcore.Dataset, X *mat.Dense) []int

// Model is the FitPredict of a configuration of mlcore:
//
//	assess.Model(tree.Config{MaxDepth: 3}.FitClassifier)
//
// It panics on an error of the training or of the prediction, as a cell would.
func Model[M mlcore.Classifier](train func(ds *mlcore.Dataset) (M, error)) FitPredict {
	return func(ds *mlcore.Dataset, X *mat.Dense) []int {
		m, err := train(ds)
		must(err)
		predicted, err := m.Predict(X)
		must(err)
		return predicted
	}
}

// ErrorRate is the share of the predictions that differ from y.
func ErrorRate(predicted, y []int) float64 {
	rate, err := metrics.ErrorRate(y, predicted, nil)
	must(err)
	return rate
}

// TrainingError is the error rate on the data that f has learned from.
func TrainingError(f FitPredict, ds *mlcore.Dataset) float64 {
	return ErrorRate(f(ds, ds.X), ds.Y)
}

// TestError is the error rate on test of f trained on train.
func TestError(f FitPredict, train, test *mlcore.Dataset) float64 {
	return ErrorRate(f(train, test.X), test.Y)
}

// LeaveOneOutError is the share of the samples that f gets wrong when it is
// trained on all the others.
func LeaveOneOutError(f FitPredict, ds *mlcore.Dataset) float64 {
	return stat.Mean(onFolds(f, ds, modelsel.LeaveOneOut{}), nil)
}

// Scores are the error rates of a cross-validation, one a fold.
type Scores struct {
	// Errors holds the error rate of each fold, repeat by repeat.
	Errors []float64
	// Folds and Repeats say how the data were divided.
	Folds, Repeats int
	// Seed decided the folds. Scores of the same seed, folds, repeats and data
	// belong to the same folds.
	Seed uint64
}

// Mean is the mean error rate over all folds.
func (s Scores) Mean() float64 { return stat.Mean(s.Errors, nil) }

// StdDev is the standard deviation over the folds, with the divisor n-1. It says
// how much single folds differ, not how sure the mean is: the folds' training sets
// overlap. For that see [Compare].
func (s Scores) StdDev() float64 { return stat.StdDev(s.Errors, nil) }

// String says "error rate 0.185 (10 folds, 5 times)".
func (s Scores) String() string {
	times := ""
	if s.Repeats > 1 {
		times = fmt.Sprintf(", %d times", s.Repeats)
	}
	return fmt.Sprintf("error rate %.3f (%d folds%s)", s.Mean(), s.Folds, times)
}

// CrossValidation is the error rate of f on each fold of a stratified
// cross-validation, repeated with new folds each time. The same seed gives the
// same folds, so that two functions can be compared fold by fold.
func CrossValidation(f FitPredict, ds *mlcore.Dataset, folds, repeats int, seed uint64) Scores {
	split := modelsel.Repeated{
		Splitter: modelsel.StratifiedKFold{Folds: folds, AllowRare: true},
		Repeats:  repeats, Seed: seed,
	}
	return Scores{onFolds(f, ds, split), folds, repeats, seed}
}

// MeanScores is the mean, fold by fold, of the scores of several seeds, 0 to
// seeds-1, for models that draw at random. The folds have to be the same for all of
// them.
func MeanScores(seeds int, scores func(seed uint64) Scores) Scores {
	mean := scores(0)
	for seed := 1; seed < seeds; seed++ {
		s := scores(uint64(seed))
		if !s.sameFolds(mean) {
			panic(errors.New("assess.MeanScores: the scores belong to different folds; the seed is the model's, not that of the folds"))
		}
		floats.Add(mean.Errors, s.Errors)
	}
	floats.Scale(1/float64(seeds), mean.Errors)
	return mean
}

func (s Scores) sameFolds(t Scores) bool {
	return s.Folds == t.Folds && s.Repeats == t.Repeats && s.Seed == t.Seed && len(s.Errors) == len(t.Errors)
}

// Mean is the mean of y over several seeds, 0 to seeds-1, for models that draw at
// random.
func Mean(seeds int, y func(seed uint64) float64) float64 {
	return stat.Mean(Seeds(seeds, y), nil)
}

func onFolds(f FitPredict, ds *mlcore.Dataset, split modelsel.Splitter) []float64 {
	folds, err := split.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	must(err)
	errors := make([]float64, folds.Len())
	inParallel(len(errors), func(i int) {
		fold := folds.At(i)
		errors[i] = TestError(f, ds.Subset(fold.Train), ds.Subset(fold.Test))
	})
	return errors
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
