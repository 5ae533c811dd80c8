package linear

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
)

// ElasticNetConfig fits a linear function by least squares with a penalty on the
// coefficients and on their squares (Zou & Hastie, 2005, "Regularization and
// variable selection via the elastic net"): it minimises
//
//	1/(2W) sum of w (y - b - coef·x)² + Alpha (L1Ratio |coef|₁ + (1-L1Ratio)/2 |coef|²)
//
// where W is the sum of the weights, n without any. This is scikit-learn's
// objective, and glmnet's. The intercept b is not penalised. Bring the columns
// to one scale first: a column of small numbers needs a large coefficient,
// which the penalty punishes more.
type ElasticNetConfig struct {
	// Alpha is finite and not negative. 0 means 0: least squares. scikit-learn's
	// default is 1.
	Alpha float64
	// L1Ratio, from 0 to 1, is the share of the penalty that makes coefficients 0.
	// 0 means 0: ridge regression with a penalty of Alpha·W. scikit-learn's
	// default is 0.5; 1 is [LassoConfig].
	L1Ratio float64
	// NoIntercept makes the function 0 where all columns are.
	NoIntercept bool
	// Tol is the value to which the duality gap, as a share of the weighted sum
	// of squares of the (centred) targets, must fall; 0 means 1e-8. It bounds
	// how far the objective is above its minimum.
	Tol float64
	// MaxIter is the greatest number of sweeps over the coefficients; 0 means
	// 1000.
	MaxIter int
	// Progress, where not nil, is called after each sweep.
	Progress func(mlcore.Progress) error
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// The sweeps run on one.
	Workers int
}

// LassoConfig is [ElasticNetConfig] with an L1Ratio of 1: the penalty is
// Alpha |coef|₁ (Tibshirani, 1996, "Regression Shrinkage and Selection via the
// Lasso"). The fields are documented there.
type LassoConfig struct {
	Alpha       float64
	NoIntercept bool
	Tol         float64
	MaxIter     int
	Progress    func(mlcore.Progress) error
	Workers     int
}

func (c LassoConfig) elasticNet() ElasticNetConfig {
	return ElasticNetConfig{Alpha: c.Alpha, L1Ratio: 1, NoIntercept: c.NoIntercept, Tol: c.Tol, MaxIter: c.MaxIter, Progress: c.Progress, Workers: c.Workers}
}

// FitRegressor fits the function to a Dataset of numeric columns, with its sample
// weights. The model carries the names of the columns.
func (c LassoConfig) FitRegressor(ds *mlcore.Dataset) (*ElasticNet, error) {
	return c.elasticNet().FitRegressor(ds)
}

// FitRegressor fits the function to a Dataset of numeric columns, with its sample
// weights. The model carries the names of the columns.
func (c ElasticNetConfig) FitRegressor(ds *mlcore.Dataset) (*ElasticNet, error) {
	return fitted.Regressor(ds, takes, c.fit)
}

func (c ElasticNetConfig) fit(ds *mlcore.Dataset) (*ElasticNet, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	s, err := c.descent(ds)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	m, err := c.model(s, c.Alpha)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	return m, nil
}

// descent returns what the coefficients are found by: a descent on the reduced problem or, of
// many columns, on the rows themselves. To reduce these takes as long as many sweeps, and few
// columns, or sweeps, may be enough.
func (c ElasticNetConfig) descent(ds *mlcore.Dataset) (*descent, error) {
	const (
		many    = 400     // columns
		largest = 1 << 25 // numbers of which a copy is made
	)
	if n, d := ds.X.Dims(); d > many && n > d && float64(n)*float64(d) <= largest && c.Alpha*c.L1Ratio > 0 {
		p, err := summedOf(&factor.Tall{X: ds.X, Last: ds.Target, Workers: c.Workers, NoProducts: true}, ds.Weights, !c.NoIntercept)
		if err != nil {
			return nil, err
		}
		return rowsDescent(p), nil
	}
	p, err := reduce(ds.X, ds.Target, ds.Weights, !c.NoIntercept, c.Workers)
	if err != nil {
		return nil, err
	}
	return newDescent(p), nil
}

func (c ElasticNetConfig) check() error {
	if err := checkAlpha(c.Alpha); err != nil {
		return err
	}
	switch {
	case !(c.L1Ratio >= 0 && c.L1Ratio <= 1):
		return fmt.Errorf("%w: L1Ratio is %v; it is from 0 to 1", mlcore.ErrConfig, c.L1Ratio)
	case c.Tol-c.Tol != 0 || c.Tol < 0:
		return fmt.Errorf("%w: Tol is %v; it is finite and positive", mlcore.ErrConfig, c.Tol)
	case c.MaxIter < 0:
		return fmt.Errorf("%w: MaxIter is %d; it is positive", mlcore.ErrConfig, c.MaxIter)
	}
	return nil
}

func (c ElasticNetConfig) tol() float64 { return cmp.Or(c.Tol, 1e-8) }

func (c ElasticNetConfig) maxIter() int { return cmp.Or(c.MaxIter, 1000) }

// model solves for one alpha, starting from where the descent is.
func (c ElasticNetConfig) model(s *descent, alpha float64) (*ElasticNet, error) {
	W := s.p.weight
	s.l1, s.l2 = alpha*c.L1Ratio*W, alpha*(1-c.L1Ratio)*W
	m := &ElasticNet{alpha: alpha, l1Ratio: c.L1Ratio}
	if s.l1 == 0 {
		m.status = s.direct()
	} else {
		var err error
		if m.status, err = s.run(c); err != nil {
			return nil, err
		}
	}
	m.surface = surface{coef: append([]float64(nil), s.coef...), intercept: s.p.offset(s.coef), workers: c.Workers}
	return m, m.finite()
}

// An ElasticNet is a fitted model of [ElasticNetConfig] or [LassoConfig]. It is
// immutable and safe for concurrent use.
type ElasticNet struct {
	surface
	alpha, l1Ratio float64
	status         mlcore.Status
}

var _ mlcore.Regressor = (*ElasticNet)(nil)

// Alpha is the penalty that the model was fitted with.
func (m *ElasticNet) Alpha() float64 { return m.alpha }

// L1Ratio is the share of the penalty on absolute values.
func (m *ElasticNet) L1Ratio() float64 { return m.l1Ratio }

// Status tells how the descent went. Its Measure is the duality gap as a share
// of the sum of squares of the targets, its Loss the objective.
func (m *ElasticNet) Status() mlcore.Status { return m.status.Clone() }

// NonZero returns the columns, in order, whose coefficients are not 0.
func (m *ElasticNet) NonZero() []int {
	var cols []int
	for j, v := range m.coef {
		if v != 0 {
			cols = append(cols, j)
		}
	}
	return cols
}

// A descent is coordinate descent on a reduced problem, or on its rows: it minimises
// |target - A b|²/2 + l1 |b|₁ + l2 |b|²/2 one coefficient at a time (Friedman,
// Hastie & Tibshirani, 2010, "Regularization Paths for Generalized Linear Models
// via Coordinate Descent"). Its coefficients are where the next solve starts.
type descent struct {
	p        *reduced
	columns  [][]float64 // of A, without the zeros at the end
	square   []float64   // their squared lengths
	target   []float64
	residual []float64
	coef     []float64
	left     []int     // columns that may have a coefficient other than 0, in order
	slope    []float64 // of those, what gap compares
	l1, l2   float64
	budget   float64 // products left before the rows are reduced; +Inf once they are
}

func newDescent(p *reduced) *descent {
	s := &descent{p: p, coef: make([]float64, p.d), slope: make([]float64, p.d)}
	s.onReduced()
	return s
}

// rowsDescent is newDescent on the rows of p, of which the sums are known but no reduced
// problem is made. They are reduced when the descent has taken half as long as that takes.
func rowsDescent(p *reduced) *descent {
	n := p.rows.Rows()
	s := &descent{p: p, coef: make([]float64, p.d), slope: make([]float64, p.d)}
	// Products of matrices are some eight times as fast as those of vectors.
	s.budget = float64(n) * float64(p.d) * float64(p.d) / 2 / 8 / 2
	all := p.rows.Transposed()
	for _, j := range p.level {
		clear(all[j*n : (j+1)*n])
	}
	s.onColumns(all, n)
	return s
}

// onReduced makes s a descent on the reduced problem.
func (s *descent) onReduced() {
	p := s.p
	s.budget = math.Inf(1)
	all := make([]float64, (p.d+1)*p.m)
	const lines = 8 // a row's numbers that one look into memory brings
	for first := 0; first <= p.d; first += lines {
		for i := range p.m {
			for j, v := range p.a[i*(p.d+1)+first : i*(p.d+1)+min(first+lines, p.d+1)] {
				all[(first+j)*p.m+i] = v
			}
		}
	}
	s.onColumns(all, p.m)
}

// onColumns makes s a descent on columns of m numbers, the last of which is the target.
func (s *descent) onColumns(all []float64, m int) {
	d := s.p.d
	s.columns, s.square = make([][]float64, d), make([]float64, d)
	for j := range s.columns {
		v := all[j*m : (j+1)*m]
		for len(v) > 0 && v[len(v)-1] == 0 {
			v = v[:len(v)-1]
		}
		s.columns[j], s.square[j] = v, kernel.Dot(v, v)
	}
	s.target = all[d*m:]
	s.residual = make([]float64, m)
	s.refresh()
}

// reduce goes on with the reduced problem, which has the same minimum, if the budget is spent.
// The means of the rows are known, so that the products around them are final.
func (s *descent) reduce() {
	if s.budget >= 0 {
		return
	}
	s.columns, s.target, s.residual = nil, nil, nil // as much memory as the rows
	rows := s.p.rows
	rows.NoProducts = false
	s.p.gram = rows.Moments().Product
	s.p.compress()
	s.onReduced()
}

// gradient is how fast a larger coefficient j would explain the residual.
func (s *descent) gradient(j int) float64 {
	v := s.columns[j]
	s.budget -= float64(len(v))
	return kernel.Dot(v, s.residual[:len(v)])
}

// update minimises over coefficient j and returns by how much it moved, in units
// of the target.
func (s *descent) update(j int) float64 {
	if s.square[j] == 0 {
		return 0
	}
	v, old := s.columns[j], s.coef[j]
	rho := s.gradient(j) + float64(old*s.square[j])
	now := kernel.SoftThreshold(rho, s.l1) / (s.square[j] + s.l2)
	if now == old {
		return 0
	}
	s.coef[j] = now
	s.budget -= float64(len(v))
	kernel.AddScaled(s.residual[:len(v)], old-now, v)
	return math.Abs(now-old) * math.Sqrt(s.square[j])
}

// direct solves a problem without l1 in one step.
func (s *descent) direct() mlcore.Status {
	start := s.objective()
	found, ok := s.p.normal(s.l2)
	if !ok {
		found = s.p.solve(s.l2)
	}
	copy(s.coef, found.coef)
	s.refresh()
	return mlcore.Status{Iterations: 1, Loss: []float64{start, s.objective()}}
}

// refresh computes the residual anew.
func (s *descent) refresh() {
	copy(s.residual, s.target)
	for j, b := range s.coef {
		if b != 0 {
			kernel.AddScaled(s.residual[:len(s.columns[j])], -b, s.columns[j])
		}
	}
}

// penalties returns |b|₁ and l2 |b|².
func (s *descent) penalties() (abs, ridge float64) {
	square := 0.0
	for _, b := range s.coef {
		abs += math.Abs(b)
		square += float64(b * b)
	}
	if s.l2 > 0 { // 0 times an overflow is no number
		ridge = float64(s.l2 * square)
	}
	return abs, ridge
}

// objective is that of the configuration, per unit of weight.
func (s *descent) objective() float64 {
	abs, ridge := s.penalties()
	outside := max(s.p.total-kernel.Dot(s.target, s.target), 0) // rounding, if anything
	squares := kernel.Dot(s.residual, s.residual) + outside + ridge
	return (float64(squares/2) + float64(s.l1*abs)) / s.p.weight
}

// gap bounds how far the objective is above its minimum, by a feasible point of
// the dual problem: the residual, scaled so that no column exceeds l1. The
// squares of the ridge part count as rows of their own.
//
// Then it leaves out the columns that this point and the bound prove to have a
// coefficient of 0 at the minimum: the dual solution is within √(2 gap) of the point, so
// that a column of length a whose product with it is below l1 - a√(2 gap) stays below l1
// (Ndiaye, Fercoq, Gramfort & Salmon, 2017, "Gap Safe Screening Rules for Sparsity
// Enforcing Penalties"). The problem of the columns that are left has the same minimum, and
// later bounds are those of that problem. Where a coefficient is not 0 yet, setting it to 0
// may take the others farther from their minimum: then all is worked out anew.
func (s *descent) gap() float64 {
	for {
		if gap, same := s.screen(); same {
			return gap
		}
	}
}

// screen is one round of gap. It reports whether the coefficients are the same as before.
func (s *descent) screen() (gap float64, same bool) {
	worst := 0.0
	for _, j := range s.left {
		g := math.Abs(s.gradient(j) - float64(s.l2*s.coef[j]))
		s.slope[j] = g
		worst = max(worst, g)
	}
	scale := 1.0
	if worst > s.l1 {
		scale = s.l1 / worst
	}
	abs, ridge := s.penalties()
	length := kernel.Dot(s.residual, s.residual) + ridge
	gap = float64(length/2*(1+float64(scale*scale))) + float64(s.l1*abs) - float64(scale*kernel.Dot(s.residual, s.target))

	// What rounding may take off a bound is far below this share of the whole.
	const rounding = 1e-9
	radius := math.Sqrt(2 * (max(gap, 0) + float64(rounding*s.p.total)))
	most := float64(s.l1 * (1 - rounding))
	kept := s.left[:0]
	same = true
	for _, j := range s.left {
		if !(float64(scale*s.slope[j])+float64(radius*math.Sqrt(s.square[j]+s.l2)) < most) {
			kept = append(kept, j)
		} else if b := s.coef[j]; b != 0 {
			s.coef[j], same = 0, false
			kernel.AddScaled(s.residual[:len(s.columns[j])], b, s.columns[j])
		}
	}
	s.left = kept
	return gap, same
}

func (s *descent) run(c ElasticNetConfig) (mlcore.Status, error) {
	st := mlcore.Status{Outcome: mlcore.IterationLimit, Loss: []float64{s.objective()}}
	unit := s.p.total
	if unit == 0 {
		// Targets that do not vary: coefficients of 0 are exact.
		clear(s.coef)
		s.refresh()
		return mlcore.Status{Loss: []float64{s.objective()}}, nil
	}
	s.left = s.left[:0]
	for j := range s.coef {
		s.left = append(s.left, j)
	}
	s.gap() // from where an earlier penalty has led, most columns are left out at once
	told := report.To(c.Progress, "linear", 1, c.maxIter())
	for st.Iterations < c.maxIter() {
		for _, j := range s.left {
			s.update(j)
		}
		s.reduce()
		s.settle()
		st.Iterations++
		st.Measure = max(s.gap(), 0) / unit
		st.Loss = append(st.Loss, s.objective())
		losses := report.Loss(st.Loss[st.Iterations])
		losses.Measure = st.Measure
		err := told.Step(0, st.Iterations, losses)
		switch {
		case errors.Is(err, mlcore.ErrStop):
			st.Outcome = mlcore.Interrupted
			return st, nil
		case err != nil:
			return st, err
		case st.Measure <= c.tol():
			st.Outcome = mlcore.Converged
			return st, nil
		}
	}
	st.Advice = "raise MaxIter or Tol, or bring the columns to one scale"
	return st, nil
}

// settle sweeps over the coefficients that are not 0, which are often few, until
// they move little, at most ten times.
func (s *descent) settle() {
	const little = 1e-6
	for range 10 {
		s.reduce()
		moved := 0.0
		for _, j := range s.left {
			if s.coef[j] != 0 {
				moved = max(moved, s.update(j))
			}
		}
		if moved <= little*math.Sqrt(s.p.total) {
			return
		}
	}
}
