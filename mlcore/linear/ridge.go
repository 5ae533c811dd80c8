package linear

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
)

// RidgeConfig fits a linear function by least squares with a penalty on the
// squares of the coefficients (Hoerl & Kennard, 1970, "Ridge Regression"): it
// minimises
//
//	sum of w (y - b - coef·x)² + Alpha |coef|²
//
// The intercept b is not penalised. Bring the columns to one scale first: a
// column of small numbers needs a large coefficient, which the penalty punishes
// more.
type RidgeConfig struct {
	// Alpha is finite and not negative, in squared units of X. 0 means 0: least
	// squares, as [LeastSquaresConfig] solves it where columns depend on each other.
	// scikit-learn's default is 1.
	Alpha float64
	// NoIntercept makes the function 0 where all columns are.
	NoIntercept bool
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

// FitRegressor fits the function to a Dataset of numeric columns, with its sample
// weights. The model carries the names of the columns.
func (c RidgeConfig) FitRegressor(ds *mlcore.Dataset) (*Ridge, error) {
	return fitted.Regressor(ds, takes, c.fit)
}

func (c RidgeConfig) fit(ds *mlcore.Dataset) (*Ridge, error) {
	if err := checkAlpha(c.Alpha); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	p, err := summed(ds.X, ds.Target, ds.Weights, !c.NoIntercept, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	s, ok := p.normal(c.Alpha)
	if !ok {
		p.compress()
		s = p.solve(c.Alpha)
	}
	m := &Ridge{surface: surface{coef: s.coef, intercept: p.offset(s.coef), workers: c.Workers}, alpha: c.Alpha, aliased: s.aliased}
	if err := m.finite(); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	return m, nil
}

func checkAlpha(alpha float64) error {
	if alpha-alpha != 0 || alpha < 0 {
		return fmt.Errorf("%w: Alpha is %v; it is finite and not negative", mlcore.ErrConfig, alpha)
	}
	return nil
}

// A Ridge is a fitted model of [RidgeConfig]. It is immutable and safe for
// concurrent use.
type Ridge struct {
	surface
	alpha   float64
	aliased []int
}

var _ mlcore.Regressor = (*Ridge)(nil)

// Alpha is the penalty that the model was fitted with.
func (m *Ridge) Alpha() float64 { return m.alpha }

// Aliased is as [LeastSquares.Aliased]. It is empty unless Alpha is 0 or so
// small that rounding loses it next to the squares of X.
func (m *Ridge) Aliased() []int { return slices.Clone(m.aliased) }
