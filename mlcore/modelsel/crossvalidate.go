package modelsel

import (
	"fmt"
	"time"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// CrossValidate fits a model to the training rows of every fold and scores it on
// the test rows. train is the FitClassifier or FitRegressor method of any
// configuration, also of a pipeline, or an mlcore learner:
//
//	modelsel.CrossValidate(tree.Config{MaxDepth: 3}.FitClassifier, ds, modelsel.Options{})
//
// [mlcore.OnMatrix] makes one of a function of your own that fits to a bare matrix,
// and [mlcore.FromMatrix] a Dataset of one. The sample weights of ds go to the learner
// and to the scorers. An error names the fold; rows that the learner names in it are
// counted within the rows that it was given.
//
// This judges an algorithm, not a model: the models are thrown away. To get a
// model to use, fit one to all the rows; its error is about what cross-validation
// estimated, or a little less.
func CrossValidate[Y Target, M Model[Y]](train func(ds *mlcore.Dataset) (M, error), ds *mlcore.Dataset, opt Options) (*Result, error) {
	if train == nil {
		return nil, errNoTrain
	}
	return CrossValidateEach(func(int) func(*mlcore.Dataset) (M, error) { return train }, ds, opt)
}

// CrossValidateEach is [CrossValidate] with a learner for each fold, such as one
// with a seed of its own:
//
//	func(fold int) func(*mlcore.Dataset) (*ensemble.Forest, error) {
//		return ensemble.ForestConfig{Seed: mlcore.DeriveSeed(seed, uint64(fold))}.FitClassifier
//	}
//
// Folds are counted from 0. trainFor may be called by several goroutines at a time.
func CrossValidateEach[Y Target, M Model[Y]](trainFor func(fold int) func(ds *mlcore.Dataset) (M, error), ds *mlcore.Dataset, opt Options) (*Result, error) {
	if trainFor == nil {
		return nil, errNoTrain
	}
	p, err := newProblem[Y](ds, opt)
	if err != nil {
		return nil, err
	}
	k := p.folds.Len()
	r := newResult(p.scorers, k, opt.TrainScores)
	r.Folds = p.folds
	done := newProgress(k, opt)
	err = par.Do(k, opt.Workers, func(i int) error {
		if err := done.stopped(); err != nil {
			return p.foldError(i, err)
		}
		fold := p.folds.At(i)
		d := &foldData{train: p.ds.Subset(fold.Train), test: p.ds.Subset(fold.Test)}
		r.TrainRows[i], r.TestRows[i] = len(fold.Train), len(fold.Test)
		var err error
		if r.Times[i], err = evaluate(trainFor(i), d, p, r.Scores, i); err != nil {
			return p.foldError(i, err)
		}
		return done.tick()
	})
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// foldData is the data of one fold.
type foldData struct{ train, test *mlcore.Dataset }

// evaluate fits to one fold and writes its scores to place i of scores.
func evaluate[Y Target, M Model[Y]](train func(*mlcore.Dataset) (M, error), d *foldData, p *problem[Y], scores []Scores, i int) (FoldTime, error) {
	if train == nil {
		return FoldTime{}, errNoTrain
	}
	start := time.Now()
	m, err := fitted.Made(train(d.train))
	if err != nil {
		return FoldTime{}, fmt.Errorf("fitting to its %d training rows: %w", d.train.Len(), err)
	}
	fitted := time.Now()
	test, err := judge[Y](m, d.test, p.scorers)
	if err != nil {
		return FoldTime{}, fmt.Errorf("test rows: %w", err)
	}
	for s := range scores {
		scores[s].Test[i] = test[s]
	}
	t := FoldTime{Fit: fitted.Sub(start), Score: time.Since(fitted)}
	if scores[0].Train == nil {
		return t, nil
	}
	own, err := judge[Y](m, d.train, p.scorers)
	if err != nil {
		return FoldTime{}, fmt.Errorf("training rows: %w", err)
	}
	for s := range scores {
		scores[s].Train[i] = own[s]
	}
	return t, nil
}
