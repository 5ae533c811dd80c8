package modelsel

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// NestedOptions are the options of [NestedCrossValidate] and
// [RotatingCrossValidate]. Those of Options are for the outer folds, on which the
// chosen candidates are tested.
type NestedOptions struct {
	Options
	// Inner makes the folds on which candidates are compared, out of the training
	// rows of an outer fold; nil means the default of Options.Splitter. It is not
	// for RotatingCrossValidate.
	Inner Splitter
	// OneStandardError is as in [SearchOptions], and so not for RotatingCrossValidate,
	// which compares candidates on one fold.
	OneStandardError bool
	// AddValidation fits the chosen candidate of [RotatingCrossValidate] once more,
	// to training and validation rows together, before it is tested.
	// NestedCrossValidate always does.
	AddValidation bool
}

// NestedResult is what a nested cross-validation found. Its Result holds the test
// scores of the outer folds: they judge the learner together with the search for
// its settings.
type NestedResult[C any] struct {
	Result
	// Folds says for each outer fold how the search went. Which candidate was
	// chosen may differ from fold to fold.
	Folds []NestedFold[C]
}

// NestedFold is the search within one outer fold.
type NestedFold[C any] struct {
	// Table holds the candidates and their scores on validation rows.
	Table []Row[C]
	// Best is the place in Table of the candidate that was chosen.
	Best int
}

// Chosen returns the row of the candidate that was chosen, an empty one in a zero value.
func (f NestedFold[C]) Chosen() Row[C] {
	if len(f.Table) == 0 {
		return Row[C]{}
	}
	return f.Table[f.Best]
}

// NestedCrossValidate tests on each outer fold the candidate that an inner
// cross-validation over its training rows chooses, fitted to all of these. It is
// the better of the two ways to find the error of a learner whose settings are
// searched for, and the slower one: outer folds × inner folds × candidates fits.
//
// There is no final model: call [Search] on all the rows to get one.
func NestedCrossValidate[C any, Y Target, M Model[Y]](train func(c C, ds *mlcore.Dataset) (M, error), candidates []Candidate[C], ds *mlcore.Dataset, opt NestedOptions) (*NestedResult[C], error) {
	opt.AddValidation = true
	p, err := newProblem[Y](ds, opt.Options)
	if err != nil {
		return nil, err
	}
	return nested(train, candidates, p, opt, func(_ int, inner *problem[Y]) (*Folds, error) { return inner.split(opt.Inner) })
}

// RotatingCrossValidate tests on fold i the candidate that does best on fold i+1
// (after the last comes the first) when fitted to the k-2 folds that are left. The
// splitter has to test every row once, in three folds or more. It costs
// k × candidates fits. See [NestedOptions] for AddValidation.
func RotatingCrossValidate[C any, Y Target, M Model[Y]](train func(c C, ds *mlcore.Dataset) (M, error), candidates []Candidate[C], ds *mlcore.Dataset, opt NestedOptions) (*NestedResult[C], error) {
	if opt.Inner != nil {
		return nil, configError("Inner is for NestedCrossValidate; RotatingCrossValidate validates on the fold after the one it tests")
	}
	p, err := newProblem[Y](ds, opt.Options)
	if err != nil {
		return nil, err
	}
	by, err := p.folds.TestedBy()
	if err != nil {
		return nil, err
	}
	k := p.folds.Len()
	if k < 3 {
		return nil, configError("%d folds; one to test, one for validation and one to train on are needed", k)
	}
	return nested(train, candidates, p, opt, func(i int, inner *problem[Y]) (*Folds, error) {
		var validation []int
		for at, row := range p.folds.At(i).Train {
			if by[row] == (i+1)%k {
				validation = append(validation, at)
			}
		}
		return NewFolds(len(labels[Y](inner.ds)), []Fold{{Test: validation}})
	})
}

// nested runs a search within the training rows of each fold of p, on the folds
// that innerFolds makes of them.
func nested[C any, Y Target, M Model[Y]](train func(C, *mlcore.Dataset) (M, error), candidates []Candidate[C], p *problem[Y], opt NestedOptions, innerFolds func(i int, inner *problem[Y]) (*Folds, error)) (*NestedResult[C], error) {
	if train == nil {
		return nil, errNoTrain
	}
	k := p.folds.Len()
	r := &NestedResult[C]{Folds: make([]NestedFold[C], k)}
	r.Result = newResult(p.scorers, k, opt.TrainScores)
	inner, total := make([]*Folds, k), 0
	for i := range k {
		// Splitters are told of labels and groups only, so the features can wait.
		rows := p.folds.At(i).Train
		bare := &mlcore.Dataset{Y: given.Pick(p.ds.Y, rows), Target: given.Pick(p.ds.Target, rows)}
		sub := &problem[Y]{ds: bare, groups: given.Pick(p.groups, rows)}
		var err error
		if inner[i], err = innerFolds(i, sub); err != nil {
			return nil, p.foldError(i, fmt.Errorf("inner folds: %w", err))
		}
		if err := checkOneError(opt.OneStandardError, inner[i]); err != nil {
			return nil, err
		}
		total += inner[i].Len()*len(candidates) + 1
	}
	done := newProgress(total, opt.Options)
	err := par.Do(k, opt.Workers, func(i int) error {
		fold := p.folds.At(i)
		d := &foldData{train: p.ds.Subset(fold.Train), test: p.ds.Subset(fold.Test)}
		sub := &problem[Y]{ds: d.train, folds: inner[i], scorers: p.scorers, inner: true}
		var err error
		f := &r.Folds[i]
		if f.Table, err = tabulate(train, candidates, sub, opt.TrainScores, 1, done); err != nil {
			return p.foldError(i, err)
		}
		if err := done.stopped(); err != nil {
			return p.foldError(i, err)
		}
		f.Best = choose(f.Table, opt.OneStandardError)
		if !opt.AddValidation {
			d.train = d.train.Subset(inner[i].At(0).Train)
		}
		r.TrainRows[i], r.TestRows[i] = d.train.Len(), d.test.Len()
		best := candidates[f.Best]
		chosen := func(ds *mlcore.Dataset) (M, error) { return train(best.Config, ds) }
		if r.Times[i], err = evaluate(chosen, d, p, r.Scores, i); err != nil {
			return p.foldError(i, fmt.Errorf("candidate %d (%v): %w", f.Best, best, err))
		}
		return done.tick()
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}
