package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ErrUndefined: standard errors were asked for, and the model has none. The
// error that wraps it says why.
var ErrUndefined = errors.New("undefined")

// InterceptColumn is the Column of the [Term] of the intercept.
const InterceptColumn = -1

// A Term is a row of a table of coefficients. What is undefined is NaN:
// everything except Coef for an aliased column, and all standard errors where no
// degrees of freedom are left.
type Term struct {
	// Column of X, or [InterceptColumn].
	Column int
	// Coef is 0 for an aliased column.
	Coef float64
	// StdErr is the standard error of Coef.
	StdErr float64
	// Statistic is Coef / StdErr: t of least squares, z of logistic regression.
	Statistic float64
	// P is the two-sided p-value of Statistic under "the coefficient is 0".
	P float64
}

// newTerm makes a term; twoSided turns a statistic into a p-value.
func newTerm(column int, coef, stdErr float64, twoSided func(statistic float64) float64) Term {
	t := Term{Column: column, Coef: coef, StdErr: stdErr, Statistic: coef / stdErr}
	t.P = twoSided(math.Abs(t.Statistic))
	return t
}

// The tails are taken from the incomplete beta and the error function directly:
// 1 - CDF would lose small p-values.

// studentTwoSided returns P(|T| >= t) with df degrees of freedom.
func studentTwoSided(df float64) func(t float64) float64 {
	return func(t float64) float64 {
		switch {
		case math.IsNaN(t) || df <= 0:
			return math.NaN()
		case math.IsInf(t, 0):
			return 0
		}
		return mathext.RegIncBeta(df/2, 0.5, df/(df+float64(t*t)))
	}
}

// normalTwoSided returns P(|Z| >= z).
func normalTwoSided(z float64) float64 { return math.Erfc(z / math.Sqrt2) }

// fUpper returns P(F >= f) with d1 and d2 degrees of freedom.
func fUpper(f, d1, d2 float64) float64 {
	switch {
	case math.IsNaN(f):
		return f
	case math.IsInf(f, 1):
		return 0
	}
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+float64(d1*f)))
}
