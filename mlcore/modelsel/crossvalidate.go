package modelsel

import (
	"fmt"
	"time"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// CrossValidate fits a model to the training rows of every fold and scores it on
// the test rows. fit is the Fit method of any configuration, of a pipeline, or an
// mlcore learner:
//
//	modelsel.CrossValidate(tree.Config{MaxDepth: 3}.FitClassifier, X, y, nil, modelsel.Options{})
//
// X is n×d and may hold NaN where the learner takes it, y holds n class codes or
// targets and w n sample weights, or is nil; the weights go to the learner and to
// the scorers. An error names the fold; rows that the learner names in it are
// counted within the rows that it was given.
//
// This judges an algorithm, not a model: the models are thrown away. For use, fit
// one to all the rows; its error is what cross-validation estimated, if anything a
// little less.
func CrossValidate[Y Target, M Model[Y]](fit func(X mat.Matrix, y []Y, w []float64) (M, error), X mat.Matrix, y []Y, w []float64, opt Options) (*Result, error) {
	return CrossValidateEach(func(int) func(mat.Matrix, []Y, []float64) (M, error) { return fit }, X, y, w, opt)
}

// CrossValidateEach is [CrossValidate] with a learner for each fold, such as one
// with a seed of its own:
//
//	func(fold int) func(mat.Matrix, []int, []float64) (*ensemble.Forest, error) {
//		return ensemble.ForestConfig{Seed: mlcore.DeriveSeed(seed, uint64(fold))}.FitClassifier
//	}
//
// Folds are counted from 0. fitFor may be called by several goroutines at a time.
func CrossValidateEach[Y Target, M Model[Y]](fitFor func(fold int) func(X mat.Matrix, y []Y, w []float64) (M, error), X mat.Matrix, y []Y, w []float64, opt Options) (*Result, error) {
	if fitFor == nil {
		return nil, errNoFit
	}
	p, err := newProblem(X, y, w, opt)
	if err != nil {
		return nil, err
	}
	k := p.folds.Len()
	r := newResult(p.scorers, k, opt.TrainScores)
	done := newProgress(k, opt)
	err = par.Do(k, opt.Workers, func(i int) error {
		if err := done.stopped(); err != nil {
			return p.foldError(i, err)
		}
		fold := p.folds.At(i)
		d := &foldData[Y]{train: p.rows(fold.Train), test: p.rows(fold.Test)}
		r.TrainRows[i], r.TestRows[i] = len(fold.Train), len(fold.Test)
		var err error
		if r.Times[i], err = evaluate(fitFor(i), d, p, r.Scores, i); err != nil {
			return p.foldError(i, err)
		}
		done.tick()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// errNoFit says that there is nothing to fit a model with.
var errNoFit = configError("the fit function is nil; pass the Fit method of a configuration")

// foldData is the data of one fold.
type foldData[Y Target] struct{ train, test part[Y] }

// evaluate fits to one fold and writes its scores to place i of scores.
func evaluate[Y Target, M Model[Y]](fit func(mat.Matrix, []Y, []float64) (M, error), d *foldData[Y], p *problem[Y], scores []Scores, i int) (FoldTime, error) {
	if fit == nil {
		return FoldTime{}, errNoFit
	}
	start := time.Now()
	m, err := fit(d.train.X, d.train.y, d.train.w)
	if err != nil {
		return FoldTime{}, fmt.Errorf("fitting to its %d training rows: %w", len(d.train.y), err)
	}
	fitted := time.Now()
	test, err := judge(m, d.test, p.scorers, p.classes)
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
	train, err := judge(m, d.train, p.scorers, p.classes)
	if err != nil {
		return FoldTime{}, fmt.Errorf("training rows: %w", err)
	}
	for s := range scores {
		scores[s].Train[i] = train[s]
	}
	return t, nil
}
