package linear

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// PathConfig says for which penalties a path of elastic nets is fitted. The zero
// value is 100 of them, evenly spaced in the logarithm from the least that makes
// all coefficients 0 down to a thousandth of it.
type PathConfig struct {
	// Alphas are the penalties, in any order, finite and not negative; nil means
	// as N and Epsilon say.
	Alphas []float64
	// N is their number; 0 means 100. It is at least 1.
	N int
	// Epsilon is the smallest penalty as a share of the greatest, between 0 and
	// 1; 0 means 1e-3.
	Epsilon float64
}

// A Path is a model for each of several penalties, the greatest first, each
// started from the one before.
type Path struct {
	models []*ElasticNet
}

// Path fits elastic nets to a Dataset, as [ElasticNetConfig.FitRegressor] does, for the
// penalties of p; Alpha must not be set. Where p does not list the penalties, L1Ratio
// must be positive, because ridge regression makes no coefficient 0. [mlcore.ErrStop]
// ends the path with the penalty at hand.
func (c ElasticNetConfig) Path(ds *mlcore.Dataset, p PathConfig) (*Path, error) {
	var path *Path
	last, err := fitted.Regressor(ds, takes, func(ds *mlcore.Dataset) (*ElasticNet, error) {
		var err error
		if path, err = c.path(ds, p); err != nil {
			return nil, err
		}
		return path.models[len(path.models)-1], nil
	})
	if err != nil {
		return nil, err
	}
	for _, m := range path.models {
		fitted.Like(last, m)
	}
	return path, nil
}

func (c ElasticNetConfig) path(ds *mlcore.Dataset, p PathConfig) (*Path, error) {
	if c.Alpha != 0 {
		return nil, fmt.Errorf("linear: %w: Alpha is %v; a path takes the Alphas of its PathConfig", mlcore.ErrConfig, c.Alpha)
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	if err := p.check(c.L1Ratio); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	s, err := c.reducedDescent(ds)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	alphas := slices.Clone(p.Alphas)
	if alphas == nil {
		alphas = p.spaced(s.alphaMax(c.L1Ratio))
	}
	slices.SortFunc(alphas, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	s.led = true
	path := &Path{}
	for _, alpha := range alphas {
		m, err := c.model(s, alpha)
		if err != nil {
			return nil, fmt.Errorf("linear: with Alpha %v: %w", alpha, err)
		}
		if path.models = append(path.models, m); m.status.Outcome == mlcore.Interrupted {
			break
		}
	}
	return path, nil
}

// Path is [ElasticNetConfig.Path] of the lasso.
func (c LassoConfig) Path(ds *mlcore.Dataset, p PathConfig) (*Path, error) {
	return c.elasticNet().Path(ds, p)
}

func (p PathConfig) check(l1Ratio float64) error {
	if p.Alphas == nil {
		switch {
		case p.N < 0:
			return fmt.Errorf("%w: N is %d; it is positive", mlcore.ErrConfig, p.N)
		case !(p.Epsilon >= 0 && p.Epsilon < 1):
			return fmt.Errorf("%w: Epsilon is %v; it is between 0 and 1", mlcore.ErrConfig, p.Epsilon)
		case l1Ratio == 0:
			return fmt.Errorf("%w: with an L1Ratio of 0 no penalty makes all coefficients 0; list the Alphas", mlcore.ErrConfig)
		}
		return nil
	}
	if p.N != 0 || p.Epsilon != 0 {
		return fmt.Errorf("%w: a path has Alphas, or N and Epsilon, not both", mlcore.ErrConfig)
	}
	if len(p.Alphas) == 0 {
		return fmt.Errorf("%w: Alphas is empty", mlcore.ErrConfig)
	}
	for i, a := range p.Alphas {
		if a-a != 0 || a < 0 {
			return fmt.Errorf("%w: Alphas[%d] is %v; it is finite and not negative", mlcore.ErrConfig, i, a)
		}
	}
	return nil
}

// spaced returns the penalties from top down. Where nothing is left to explain,
// top is 0 and so are they all.
func (p PathConfig) spaced(top float64) []float64 {
	n, eps := p.N, p.Epsilon
	if n == 0 {
		n = 100
	}
	if eps == 0 {
		eps = 1e-3
	}
	alphas := make([]float64, n)
	for i := range alphas {
		alphas[i] = -elementary.Log1p(1/eps-1) * float64(i) / float64(max(n-1, 1))
	}
	kernel.Exp(alphas)
	for i := range alphas {
		alphas[i] *= top
	}
	return alphas
}

// alphaMax is the least penalty that makes all coefficients 0, and a little more
// so that it does after rounding too.
func (s *descent) alphaMax(l1Ratio float64) float64 {
	worst := 0.0
	for _, v := range s.columns {
		worst = max(worst, math.Abs(kernel.Dot(v, s.target[:len(v)])))
	}
	return worst / float64(s.p.weight*l1Ratio) * (1 + 0x1p-50)
}

// Len is the number of penalties.
func (p *Path) Len() int { return len(p.models) }

// Model returns the model of penalty i; 0 is the greatest. It panics if i is out
// of range.
func (p *Path) Model(i int) *ElasticNet { return p.models[i] }

// Alphas returns the penalties, the greatest first.
func (p *Path) Alphas() []float64 {
	alphas := make([]float64, len(p.models))
	for i, m := range p.models {
		alphas[i] = m.alpha
	}
	return alphas
}

// Coefs returns a d×Len matrix: a row holds how a column's coefficient grows as
// the penalty falls.
func (p *Path) Coefs() *mat.Dense {
	if len(p.models) == 0 {
		return &mat.Dense{}
	}
	c := mat.NewDense(p.models[0].NumFeatures(), len(p.models), nil)
	for i, m := range p.models {
		c.SetCol(i, m.coef)
	}
	return c
}

// Intercepts returns the intercepts, in the order of Alphas.
func (p *Path) Intercepts() []float64 {
	b := make([]float64, len(p.models))
	for i, m := range p.models {
		b[i] = m.intercept
	}
	return b
}
