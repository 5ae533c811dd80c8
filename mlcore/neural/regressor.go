package neural

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

// A Regressor is a trained network with one [Linear] output. It is immutable and
// safe for concurrent use.
type Regressor struct{ trained }

// FitRegressor trains a network on a Dataset with numeric columns, with its sample
// weights, with the loss [Squared]. Targets are not scaled; if they are large, scale
// them. A row of weight 0 is treated as absent, and at least two rows must have a
// positive weight. Training that diverges is an error that wraps [ErrDiverged]. The
// model carries the names of the columns.
func (c Config) FitRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	return fitted.Regressor(ds, takes, c.fitRegressor)
}

func (c Config) fitRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	c, err := c.align(ds)
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := fitted.NoClassWeight(c.ClassWeight); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	d := ds.NumFeatures()
	var given *examples[float64]
	if v := c.Validation; v != nil {
		n, err := checkValidation(v)
		if err != nil {
			return nil, err
		}
		if err := mlcore.CheckTargets(v.Target, n); err != nil {
			return nil, fmt.Errorf("neural: validation rows: %w", err)
		}
		given = &examples[float64]{v.X, v.Target, v.Weights}
	}
	rows := examples[float64]{ds.X, ds.Target, ds.Weights}.weighty()
	if len(rows.y) < 2 {
		return nil, fmt.Errorf("neural: %w: one training row; a regression needs at least 2", mlcore.ErrEmpty)
	}
	learn, valid, err := separate(c, rows, given, nil)
	if err != nil {
		return nil, err
	}
	net, err := c.network(d, 1, Linear, Squared)
	if err != nil {
		return nil, err
	}
	spread := [2]float64{variance(learn), variance(valid)}
	tr, err := c.train(net, numbered(learn), numbered(valid), func(m measure, valid bool) float64 {
		v := spread[0]
		if valid {
			v = spread[1]
		}
		if v == 0 {
			return 0
		}
		return 1 - float64(2*(m.score/m.weight))/v
	})
	if err != nil {
		return nil, err
	}
	return &Regressor{tr.trained()}, nil
}

func numbered(e examples[float64]) data {
	if e.X == nil {
		return data{}
	}
	return data{newInput(e.X), targets{values: e.y, outputs: 1}, e.w}
}

// variance is Σ w (y - mean y)² / Σ w, 0 of no rows.
func variance(e examples[float64]) float64 {
	d := data{w: e.w}
	total, mean, sum := 0.0, 0.0, 0.0
	for i := range e.y {
		total += d.weight(i)
	}
	if total == 0 {
		return 0
	}
	// In a unit, a power of two, in which sums of weights times squares have room.
	unit := 1.0
	if total > 0x1p500 {
		unit = 0x1p-500
	}
	total *= unit
	for i, v := range e.y {
		mean += float64(float64(d.weight(i)*unit) * v)
	}
	mean /= total
	for i, v := range e.y {
		sum += float64(float64(d.weight(i)*unit) * float64((v-mean)*(v-mean)))
	}
	return sum / total
}

// Predict returns the answer of the network to each row of X.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	in, err := m.network().checkInput(X)
	if err != nil {
		return nil, err
	}
	y := make([]float64, in.n)
	err = m.answers(in, func(i int, a []float64) { y[i] = a[0] })
	if err != nil {
		return nil, err
	}
	return y, nil
}
