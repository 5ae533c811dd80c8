package svm

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

// A LinearRegressor is a fitted linear ε-support vector regression. It is
// immutable and safe for concurrent use.
type LinearRegressor struct {
	described
	training
	plane   plane
	epsilon float64
	margin  float64
	workers int
}

var _ mlcore.Regressor = (*LinearRegressor)(nil)

// FitRegressor fits f(x) = w·x + b to a Dataset with numeric columns, with its sample
// weights. Rows of weight 0 are left out. Class weights are refused. The model carries
// the names of the columns.
func (c LinearConfig) FitRegressor(ds *mlcore.Dataset) (*LinearRegressor, error) {
	return fitted.Regressor(ds, takes, c.fitRegressor)
}

func (c LinearConfig) fitRegressor(ds *mlcore.Dataset) (*LinearRegressor, error) {
	t := newTargetTable(ds)
	if err := fitted.NoClassWeight(c.ClassWeight); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	c, err := c.ready(t.table)
	if err != nil {
		return nil, err
	}
	p := c.program(t.table, 0)
	p.target, p.epsilon = t.targets, c.Epsilon
	p.lower, p.upper = t.bounds(), append([]float64(nil), t.cost...)
	p.progress = reporter(c.Progress, 1, c.MaxIter)(0)
	c.soften(&p)
	p.team = c.team(t.table)
	defer p.team.Close()
	weights, end := p.descend()
	solution, err := end.solution(-1, -1)
	if err != nil {
		return nil, err
	}
	return &LinearRegressor{
		plane: plane{weights, end.bias}, epsilon: c.Epsilon, margin: c.Tol, workers: c.Workers,
		training: newTraining([]Solution{solution}, t.table, c.Tol),
	}, nil
}

// NumFeatures is the number of columns that Predict expects.
func (m *LinearRegressor) NumFeatures() int { return len(m.plane.w) }

// Predict returns f(x) for each row of X.
func (m *LinearRegressor) Predict(X mat.Matrix) ([]float64, error) {
	n, err := checkQueries(X, m.NumFeatures())
	if err != nil {
		return nil, err
	}
	y := make([]float64, n)
	if err := evaluatePlanes(X, []plane{m.plane}, m.workers, func(i int, values []float64) { y[i] = values[0] }); err != nil {
		return nil, err
	}
	return y, nil
}

// Epsilon returns ε, the half-width of the tube.
func (m *LinearRegressor) Epsilon() float64 { return m.epsilon }

// Coef returns w.
func (m *LinearRegressor) Coef() []float64 { return append([]float64(nil), m.plane.w...) }

// Intercept returns b.
func (m *LinearRegressor) Intercept() float64 { return m.plane.b }

// Slack returns how far outside the tube each target is; see [Regressor.Slack].
func (m *LinearRegressor) Slack(X mat.Matrix, y []float64) ([]float64, error) {
	f, err := m.Predict(X)
	if err != nil {
		return nil, err
	}
	return tubeSlack(f, y, m.epsilon, m.margin)
}
