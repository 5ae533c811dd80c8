package conformal

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
)

// CVPlusConfig makes intervals of the models of a cross-validation, by CV+ (Barber et al.,
// 2021). It needs a RegressorLearner; all else has a default. With modelsel.LeaveOneOut it is the
// jackknife+.
type CVPlusConfig struct {
	// RegressorLearner fits the regressors.
	RegressorLearner mlcore.RegressorLearner
	// Splitter makes the folds, and has to test every row once. nil is modelsel.KFold of 5
	// shuffled folds, which needs five rows.
	Splitter modelsel.Splitter
	// Level is the probability that is aimed at, between 0 and 1; 0 means [DefaultLevel].
	// What is proved is less, as the package comment says.
	Level float64
	// Workers is the greatest number of goroutines; 0 means one per processor. It never
	// changes the result.
	Workers int
}

// Calibrate fits a regressor to the training rows of each fold, and keeps them with the
// absolute residuals of the rows that they have not seen. Rows have finite targets and no
// weights that differ.
func (c CVPlusConfig) Calibrate(ds *mlcore.Dataset) (*CVPlus, error) {
	level, err := levelOf(c.Level)
	if err != nil {
		return nil, err
	}
	if c.RegressorLearner == nil {
		return nil, configError("RegressorLearner is nil")
	}
	if err := usable(ds); err != nil {
		return nil, err
	}
	n := ds.Len()
	r, err := rank(n, level)
	if err != nil {
		return nil, err
	}
	if c.Splitter == nil {
		c.Splitter = modelsel.KFold{Shuffle: true}
	}
	folds, err := c.Splitter.Split(modelsel.Rows{N: n})
	if err != nil {
		return nil, fmt.Errorf("conformal: Splitter: %w", err)
	}
	m := &CVPlus{models: make([]mlcore.Regressor, folds.Len()), fold: make([]int, n), scores: make([]float64, n), level: level, rank: r}
	if err := m.assign(folds); err != nil {
		return nil, err
	}
	err = par.Do(folds.Len(), c.Workers, func(k int) error {
		fold := folds.At(k)
		var err error
		if m.models[k], err = fitted.Made(c.RegressorLearner(ds.Subset(fold.Train))); err != nil {
			return fmt.Errorf("conformal: fold %d: %w", k, err)
		}
		scores, err := residuals(m.models[k], ds.Subset(fold.Test))
		if err != nil {
			return fmt.Errorf("fold %d: %w", k, err)
		}
		for i, row := range fold.Test {
			m.scores[row] = scores[i]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// A CVPlus is the models of a cross-validation with the residuals that [CVPlusConfig] has
// found. It is immutable and, where its models are, safe for concurrent use.
type CVPlus struct {
	models []mlcore.Regressor
	fold   []int     // which model has not seen a row
	scores []float64 // its absolute residual there
	level  float64
	rank   int
}

// assign notes which fold tests each row.
func (m *CVPlus) assign(folds *modelsel.Folds) error {
	if folds.Rows() != len(m.fold) {
		return configError("Splitter divides %d rows, there are %d", folds.Rows(), len(m.fold))
	}
	times := make([]int, len(m.fold))
	for k, fold := range folds.All() {
		for _, row := range fold.Test {
			m.fold[row] = k
			times[row]++
		}
	}
	for row, t := range times {
		if t != 1 {
			return configError("Splitter has to test every row once; it tests row %d %d times", row, t)
		}
	}
	return nil
}

// Level returns the probability that was aimed at.
func (m *CVPlus) Level() float64 { return m.level }

// Residuals returns the absolute residual of each row by the model that has not seen it.
func (m *CVPlus) Residuals() []float64 { return slices.Clone(m.scores) }

// Intervals returns an interval for each row of ds, which is brought into the form that
// the models were fitted to. With n rows of calibration, m(i) the prediction by the model
// that has not seen row i of them and R(i) its residual there, Upper is the
// ceil((n+1)·level)-th smallest of m(i) + R(i), and Lower is the number of the same place
// among m(i) - R(i), counted from the largest. With a level below 0.5 Upper may be below
// Lower, and the interval is empty. Targets are not asked for.
func (m *CVPlus) Intervals(ds *mlcore.Dataset) ([]Interval, error) {
	if m == nil || len(m.models) == 0 {
		return nil, fmt.Errorf("conformal: %w", mlcore.ErrNotFitted)
	}
	predicted := make([][]float64, len(m.models))
	for k, model := range m.models {
		var err error
		if predicted[k], err = predict(model, ds); err != nil {
			return nil, err
		}
	}
	n := len(m.scores)
	all, lower, upper := make([]Interval, ds.Len()), make([]float64, n), make([]float64, n)
	for i := range all {
		for j, s := range m.scores {
			v := predicted[m.fold[j]][i]
			lower[j], upper[j] = v-s, v+s
		}
		slices.Sort(lower)
		slices.Sort(upper)
		all[i] = Interval{lower[n-m.rank], upper[m.rank-1]}
	}
	return all, nil
}
