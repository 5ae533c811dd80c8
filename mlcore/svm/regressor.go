package svm

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

// A Regressor is a fitted ε-support vector regression. It is immutable and safe
// for concurrent use.
type Regressor struct {
	described
	training
	expansion
	sum     kernelSum
	epsilon float64
	margin  float64 // slack that is no larger is the solver's
}

var _ mlcore.Regressor = (*Regressor)(nil)

// FitRegressor fits an ε-support vector regression to a Dataset with numeric columns,
// with its sample weights: it minimises ½|w|² + C Σ max(0, |y - f(x)| - ε). Rows of
// weight 0 are left out. Class weights are refused. The model carries the names of the
// columns.
func (c Config) FitRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	return fitted.Regressor(ds, takes, c.fitRegressor)
}

func (c Config) fitRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	if err := c.checkVerb(true, false); err != nil {
		return nil, err
	}
	t := newTargetTable(ds)
	if err := fitted.NoClassWeight(c.ClassWeight); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	c, err := c.ready(t.len())
	if err != nil {
		return nil, err
	}
	s, err := c.newSpace(ds.X, ds.Weights, t.table)
	if err != nil {
		return nil, err
	}
	if err := t.scaleCost(c.C); err != nil {
		return nil, err
	}
	p := c.solver(s)
	p.rows, p.target, p.epsilon = allRows(t.len()), t.targets, c.Epsilon
	p.lower, p.upper = t.bounds(), t.cost
	p.progress = reporter(c.Progress, 1, c.MaxIter)(0)
	low, _ := p.minimise(nil)
	solution, err := low.solution(-1, -1)
	if err != nil {
		return nil, err
	}
	m := &Regressor{epsilon: c.Epsilon, margin: c.Tol}
	used := make([]bool, t.len())
	for r, beta := range low.beta {
		used[r] = beta != 0
	}
	place := m.expansion.keep(s, t.table, used, c.Workers)
	m.sum = m.newSum(low, p.rows, place)
	m.training = newTraining([]Solution{solution}, t.table, c.Tol)
	return m, nil
}

// A targetTable is a table with real targets.
type targetTable struct {
	*table
	targets []float64
}

func newTargetTable(ds *mlcore.Dataset) targetTable {
	t := newTable(ds)
	targets := make([]float64, t.len())
	for i, r := range t.origin {
		targets[i] = ds.Target[r]
	}
	return targetTable{t, targets}
}

// bounds returns minus the costs: the lower bounds of a regression's variables.
func (t targetTable) bounds() []float64 {
	lower := make([]float64, len(t.cost))
	for i, c := range t.cost {
		lower[i] = -c
	}
	return lower
}

// Predict returns f(x) for each row of X.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	f, err := decisions(X, &m.expansion, 1, func(dst, x, values []float64) { dst[0] = m.sum.at(x, values) })
	if err != nil {
		return nil, err
	}
	return f.RawMatrix().Data, nil
}

// Epsilon returns ε, the half-width of the tube.
func (m *Regressor) Epsilon() float64 { return m.epsilon }

// DualCoef returns the coefficient β of each support vector: positive where the
// target is on or above the upper edge of the tube, negative at the lower edge.
func (m *Regressor) DualCoef() []float64 { return append([]float64(nil), m.sum.coef...) }

// Intercept returns b.
func (m *Regressor) Intercept() float64 { return m.sum.bias }

// Coef returns w where the kernel is [Linear], so that f(x) = w·x + b; else nil.
func (m *Regressor) Coef() []float64 { return append([]float64(nil), m.sum.weights...) }

// Slack returns how far outside the tube each target is: max(0, |y - f(x)| - ε),
// and 0 where that is no more than the solver's tolerance. A positive slack is a
// margin violation.
func (m *Regressor) Slack(X mat.Matrix, y []float64) ([]float64, error) {
	f, err := m.Predict(X)
	if err != nil {
		return nil, err
	}
	return tubeSlack(f, y, m.epsilon, m.margin)
}

func tubeSlack(f, y []float64, epsilon, tolerance float64) ([]float64, error) {
	if err := mlcore.CheckTargets(y, len(f)); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	slack := make([]float64, len(f))
	for i, v := range f {
		if s := math.Abs(y[i]-v) - epsilon; s > tolerance {
			slack[i] = s
		}
	}
	return slack, nil
}
