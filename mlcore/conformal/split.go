package conformal

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// SplitConfig calibrates a fitted regressor by split conformal prediction. The zero value
// asks for [DefaultLevel].
type SplitConfig struct {
	// Level is the probability that an interval contains its target, between 0 and 1; 0
	// means [DefaultLevel].
	Level float64
}

// Calibrate takes the absolute residuals of the model on ds, whose rows must not have taken
// part in its fit, and their [Quantile]. Rows have finite targets and no weights that
// differ. The package comment says what is promised.
func (c SplitConfig) Calibrate(model mlcore.Regressor, ds *mlcore.Dataset) (*Split, error) {
	level, err := levelOf(c.Level)
	if err != nil {
		return nil, err
	}
	if given.IsNil(model) || model.NumFeatures() == 0 {
		return nil, fmt.Errorf("conformal: %w", mlcore.ErrNotFitted)
	}
	if err := usable(ds); err != nil {
		return nil, err
	}
	if _, err := rank(ds.Len(), level); err != nil {
		return nil, err
	}
	scores, err := residuals(model, ds)
	if err != nil {
		return nil, err
	}
	half, err := Quantile(scores, level)
	if err != nil {
		return nil, err
	}
	return &Split{model, level, half}, nil
}

// A Split is a regressor with the half-width that [SplitConfig] has found. It is immutable
// and, where its model is, safe for concurrent use.
type Split struct {
	model       mlcore.Regressor
	level, half float64
}

// Model returns the regressor that was calibrated.
func (s *Split) Model() mlcore.Regressor { return s.model }

// Level returns the probability that was asked for.
func (s *Split) Level() float64 { return s.level }

// HalfWidth returns half of the width of every interval, in units of the target.
func (s *Split) HalfWidth() float64 { return s.half }

// Intervals returns an interval for each row of ds, which is brought into the form that
// the model was fitted to: the prediction plus and minus HalfWidth. Targets are not asked
// for.
func (s *Split) Intervals(ds *mlcore.Dataset) ([]Interval, error) {
	if s == nil || s.model == nil {
		return nil, fmt.Errorf("conformal: %w", mlcore.ErrNotFitted)
	}
	predicted, err := predict(s.model, ds)
	if err != nil {
		return nil, err
	}
	all := make([]Interval, len(predicted))
	for i, v := range predicted {
		all[i] = Interval{v - s.half, v + s.half}
	}
	return all, nil
}

// levelOf is the level that a setting stands for.
func levelOf(level float64) (float64, error) {
	if level == 0 {
		return DefaultLevel, nil
	}
	if !(level > 0 && level < 1) {
		return 0, configError("Level is %v; it lies between 0 and 1", level)
	}
	return level, nil
}

// usable checks rows that calibrate.
func usable(ds *mlcore.Dataset) error {
	if ds == nil || ds.Len() == 0 {
		return fmt.Errorf("conformal: %w: no rows to calibrate with", mlcore.ErrEmpty)
	}
	if err := ds.Validate(); err != nil {
		return fmt.Errorf("conformal: %w", err)
	}
	if len(ds.Target) != ds.Len() {
		return fmt.Errorf("conformal: %w: %d rows, %d targets", mlcore.ErrShape, ds.Len(), len(ds.Target))
	}
	if err := finite("the target of row", ds.Target); err != nil {
		return err
	}
	for i, w := range ds.Weights {
		if w == 0 {
			return fmt.Errorf("conformal: %w: row %d weighs 0; rows that calibrate are ranked and weigh the same, so leave it out", mlcore.ErrWeight, i)
		}
		if w != ds.Weights[0] {
			return fmt.Errorf("conformal: %w: row %d weighs %v and row 0 weighs %v; rows that calibrate are ranked and weigh the same", mlcore.ErrWeight, i, w, ds.Weights[0])
		}
	}
	return nil
}

// residuals are the absolute differences between targets and predictions.
func residuals(model mlcore.Regressor, ds *mlcore.Dataset) ([]float64, error) {
	scores, err := predict(model, ds)
	if err != nil {
		return nil, err
	}
	for i, v := range scores {
		scores[i] = math.Abs(ds.Target[i] - v)
	}
	return scores, finite("the residual of row", scores)
}

// predict returns finite predictions of a model of the caller's, one for each row.
func predict(model mlcore.Regressor, ds *mlcore.Dataset) (predicted []float64, err error) {
	defer par.Recover(&err)
	if ds == nil || ds.Len() == 0 {
		return nil, fmt.Errorf("conformal: %w: no rows", mlcore.ErrEmpty)
	}
	predicted, err = mlcore.Predict(model, ds)
	switch {
	case err != nil:
		return nil, fmt.Errorf("conformal: %w", err)
	case len(predicted) != ds.Len():
		return nil, fmt.Errorf("conformal: %w: the model answered for %d of %d rows", mlcore.ErrShape, len(predicted), ds.Len())
	}
	return append([]float64(nil), predicted...), finite("the prediction of row", predicted)
}
