package linear

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// LeastSquaresConfig fits a linear function by ordinary least squares: it
// minimises the sum of w (y - b - coef·x)². The zero value is usable.
//
// Columns that are combinations of those before them (the one-hot columns of an
// attribute and the intercept, say) are aliased, as in R's lm: they get the
// coefficient 0 and are listed by [LeastSquares.Aliased]. Which columns are
// aliased does not change the predictions for rows in which the columns depend
// on each other as they do in the training rows. For other rows it does, and so it does
// always where there are fewer rows than columns; scikit-learn's LinearRegression then has
// the solution of the least norm, to which Ridge with a small Alpha comes close.
type LeastSquaresConfig struct {
	// NoIntercept makes the function 0 where all columns are.
	NoIntercept bool
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

// FitRegressor fits the function to a Dataset of numeric columns, with its sample
// weights. Weights mean what they mean in R's lm: a row of weight 4 is known twice
// as exactly as one of weight 1, and counts as one degree of freedom; rows of weight
// 0 do not count. The model carries the names of the columns.
func (c LeastSquaresConfig) FitRegressor(ds *mlcore.Dataset) (*LeastSquares, error) {
	return fitted.Regressor(ds, takes, c.fit)
}

func (c LeastSquaresConfig) fit(ds *mlcore.Dataset) (*LeastSquares, error) {
	p, err := reduce(ds.X, ds.Target, ds.Weights, !c.NoIntercept, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	s := p.solve(0)
	m := &LeastSquares{surface: surface{coef: s.coef, intercept: p.offset(s.coef), workers: c.Workers}, aliased: s.aliased}
	if err := m.finite(); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	m.infer(p, s, !c.NoIntercept)
	return m, nil
}

// A LeastSquares is a fitted model of [LeastSquaresConfig]. It is immutable and
// safe for concurrent use.
type LeastSquares struct {
	surface
	aliased []int
	terms   []Term
	fit     Fit
}

// A Fit says how well a least-squares function fits its training data. What is
// undefined is NaN.
type Fit struct {
	// Rank is the number of columns that are not aliased, the intercept not
	// counted.
	Rank int
	// DegreesOfFreedom is the number of rows of positive weight minus the
	// number of fitted coefficients, including the intercept.
	DegreesOfFreedom int
	// ResidualSumOfSquares is the minimum, in squared units of y.
	ResidualSumOfSquares float64
	// ResidualVariance is that divided by the degrees of freedom; NaN without
	// any.
	ResidualVariance float64
	// R2 is the share of the sum of squares of y that is explained: around the
	// mean, or around 0 without an intercept. NaN where y does not vary.
	R2 float64
	// AdjustedR2 is R2 corrected for the number of coefficients.
	AdjustedR2 float64
	// F is the statistic of the hypothesis that all coefficients but the
	// intercept are 0, and FP its p-value. NaN where there are none.
	F, FP float64
}

var _ mlcore.Regressor = (*LeastSquares)(nil)

// Fit returns how well the function fits.
func (m *LeastSquares) Fit() Fit { return m.fit }

// Aliased returns the columns, in order, that are combinations of those before
// them (or constant, with an intercept) and so have no coefficient of their own.
// It is empty for X of full rank.
func (m *LeastSquares) Aliased() []int { return slices.Clone(m.aliased) }

// Terms returns the table of coefficients: the intercept, if there is one, then
// the d columns.
func (m *LeastSquares) Terms() []Term { return slices.Clone(m.terms) }

// infer fills in what the fit and the coefficients are worth: the covariance of
// the coefficients is the residual variance times (AᵀA)⁻¹ = R⁻¹R⁻ᵀ, with R the
// triangle of the pivots, and the intercept adds that of the means.
func (m *LeastSquares) infer(p *reduced, s solution, intercept bool) {
	k := len(s.pivots)
	used := 0 // coefficients that are not columns'
	if intercept {
		used = 1
	}
	df := p.n - k - used
	f := Fit{Rank: k, DegreesOfFreedom: df, ResidualSumOfSquares: s.residual}
	f.ResidualVariance, f.R2, f.AdjustedR2, f.F, f.FP = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if df > 0 {
		f.ResidualVariance = s.residual / float64(df)
	}
	if p.total > 0 {
		f.R2 = max(0, 1-s.residual/p.total) // rounding may leave more than there was
		if df > 0 {
			f.AdjustedR2 = 1 - f.ResidualVariance/(p.total/float64(p.n-used))
		}
		if df > 0 && k > 0 {
			f.F = max(0, p.total-s.residual) / float64(k) / f.ResidualVariance
			f.FP = fUpper(f.F, float64(k), float64(df))
		}
	}
	m.fit = f

	inverse := factor.InverseTriangle(s.a, s.c, s.pivots, p.rows.Workers)
	variance := make([]float64, p.d) // in units of the residual variance
	for j := range variance {
		variance[j] = math.NaN()
	}
	ofMean := make([]float64, k) // R⁻ᵀ x̄
	for r, j := range s.pivots {
		row := inverse[r*k : (r+1)*k]
		variance[j] = kernel.Dot(row, row)
		for q, v := range row {
			ofMean[q] += float64(v * p.mean[j])
		}
	}
	tails := studentTwoSided(float64(df))
	if intercept {
		v := 1/p.weight + kernel.Dot(ofMean, ofMean)
		m.terms = append(m.terms, newTerm(InterceptColumn, m.intercept, math.Sqrt(f.ResidualVariance*v), tails))
	}
	for j, v := range variance {
		m.terms = append(m.terms, newTerm(j, m.coef[j], math.Sqrt(f.ResidualVariance*v), tails))
	}
}
