package modelsel

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// Predictions are made for each row by the model that did not train on it.
type Predictions[Y Target] struct {
	// Values holds a class code or number a row.
	Values []Y
	// Fold holds the fold that tested each row.
	Fold []int
}

// CrossValPredict returns what the models of a cross-validation predict for their
// test rows, for a confusion matrix over all the data, a test of significance or a
// score that single folds are too small for. The splitter has to test every row
// once. Options but Scorers and TrainScores, and the arguments, are those of
// [CrossValidate].
func CrossValPredict[Y Target, M Model[Y]](train func(ds *mlcore.Dataset) (M, error), ds *mlcore.Dataset, opt Options) (*Predictions[Y], error) {
	opt.Scorers = nil
	p, err := newProblem[Y](ds, opt)
	if err != nil {
		return nil, err
	}
	r := &Predictions[Y]{Values: make([]Y, ds.Len())}
	r.Fold, err = outOfFold(train, p, opt, func(m M, X *mat.Dense, rows []int) error {
		values, err := predict(m, X)
		if err != nil {
			return err
		}
		for i, row := range rows {
			r.Values[row] = values[i]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Probabilities are estimated for each row by the model that did not train on it.
type Probabilities struct {
	// Values is n×K: the probability of each class.
	Values *mat.Dense
	// Fold holds the fold that tested each row.
	Fold []int
}

// CrossValPredictProba is [CrossValPredict] for class probabilities, for ROC and
// calibration curves. The models have to be of [mlcore.ProbClassifier]. K is
// that of ds.
func CrossValPredictProba[M mlcore.Classifier](train func(ds *mlcore.Dataset) (M, error), ds *mlcore.Dataset, opt Options) (*Probabilities, error) {
	opt.Scorers = nil
	p, err := newProblem[int](ds, opt)
	if err != nil {
		return nil, err
	}
	r := &Probabilities{Values: mat.NewDense(ds.Len(), ds.NumClasses(), nil)}
	r.Fold, err = outOfFold(train, p, opt, func(m M, X *mat.Dense, rows []int) error {
		proba, err := probabilities(m, X, ds.NumClasses())
		if err != nil {
			return err
		}
		for i, row := range rows {
			copy(r.Values.RawRowView(row), proba.RawRowView(i))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Rankings are numbers for each row by the model that did not train on it, higher the more
// that model takes the row for one of class 1.
type Rankings struct {
	Values []float64
	// Fold holds the fold that tested each row.
	Fold []int
}

// CrossValPredictScores is [CrossValPredict] for ROC and precision-recall curves of two
// classes: the decision values of the models where they have some, inside a pipeline, a
// stack or a threshold too, else probabilities of class 1. Those of different folds are
// those of different models and need not have one scale; [ROCAUC] judges each fold alone.
func CrossValPredictScores[M mlcore.Classifier](train func(ds *mlcore.Dataset) (M, error), ds *mlcore.Dataset, opt Options) (*Rankings, error) {
	opt.Scorers = nil
	p, err := newProblem[int](ds, opt)
	if err != nil {
		return nil, err
	}
	if k := ds.NumClasses(); k != 2 {
		return nil, fmt.Errorf("modelsel: %w: scores are for 2 classes, not %d; use CrossValPredictProba", mlcore.ErrShape, k)
	}
	r := &Rankings{Values: make([]float64, ds.Len())}
	r.Fold, err = outOfFold(train, p, opt, func(m M, X *mat.Dense, rows []int) error {
		scores, err := scoresOf(m, X)
		if err != nil {
			return predictError(len(rows), err)
		}
		for i, row := range rows {
			r.Values[row] = scores[i]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// outOfFold fits a model a fold and hands it the test rows, to be answered for
// those places. It returns the fold that tests each row.
func outOfFold[Y Target, M Model[Y]](train func(*mlcore.Dataset) (M, error), p *problem[Y], opt Options, answer func(m M, X *mat.Dense, rows []int) error) ([]int, error) {
	if train == nil {
		return nil, errNoTrain
	}
	by, err := p.folds.TestedBy()
	if err != nil {
		return nil, err
	}
	done := newProgress(p.folds.Len(), opt)
	err = par.Do(p.folds.Len(), opt.Workers, func(i int) error {
		if err := done.stopped(); err != nil {
			return p.foldError(i, err)
		}
		fold := p.folds.At(i)
		m, err := fitted.Made(train(p.ds.Subset(fold.Train)))
		if err == nil {
			err = answer(m, given.Subset(p.ds.X, fold.Test), fold.Test)
		}
		if err != nil {
			return p.foldError(i, err)
		}
		return done.tick()
	})
	return by, err
}
