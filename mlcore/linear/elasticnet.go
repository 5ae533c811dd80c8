package linear

import (
	"cmp"
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
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
	// MaxIter is the greatest number of iterations, each a sweep over the
	// coefficients, up to ten more over those that are not 0, and perhaps a
	// step of Newton's method over these; 0 means 1000. With fewer rows than columns, where ten
	// were not enough, up to 20 for each of up to 24 larger penalties come before the eleventh:
	// these are not counted, and Progress is not called in between.
	MaxIter int
	// Progress, where not nil, is called after each iteration.
	Progress func(mlcore.Progress) error
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// The sweeps run on one, sums of products on all.
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
	n, d := ds.X.Dims()
	if d > many && n > d && float64(n)*float64(d) <= largest && c.Alpha*c.L1Ratio > 0 {
		p, err := summedOf(&factor.Tall{X: ds.X, Last: ds.Target, Workers: c.Workers, NoProducts: true}, ds.Weights, !c.NoIntercept)
		if err != nil {
			return nil, err
		}
		return rowsDescent(p), nil
	}
	return c.reducedDescent(ds)
}

// reducedDescent is descent on the reduced problem.
func (c ElasticNetConfig) reducedDescent(ds *mlcore.Dataset) (*descent, error) {
	p, err := summed(ds.X, ds.Target, ds.Weights, !c.NoIntercept, c.Workers)
	if err != nil {
		return nil, err
	}
	p.explained = true
	p.compress()
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
