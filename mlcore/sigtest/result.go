package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
)

// ErrDegenerate: data for which the test or interval has no answer, such as a t
// test on differences that are all the same and not zero. It wraps
// [mlcore.ErrConfig]: another test has to be chosen.
var ErrDegenerate = fmt.Errorf("%w: no answer for these data", mlcore.ErrConfig)

// Alternative is the hypothesis that a small p-value speaks for.
type Alternative int

const (
	// TwoSided: the first and the second differ. The default.
	TwoSided Alternative = iota
	// Greater: the first is larger than the second.
	Greater
	// Less: the first is smaller than the second.
	Less
)

// String returns "two-sided", "greater" or "less".
func (a Alternative) String() string {
	switch a {
	case TwoSided:
		return "two-sided"
	case Greater:
		return "greater"
	case Less:
		return "less"
	}
	return fmt.Sprintf("Alternative(%d)", int(a))
}

func (a Alternative) check() error {
	if a < TwoSided || a > Less {
		return fmt.Errorf("%w: %v; use TwoSided, Greater or Less", mlcore.ErrConfig, a)
	}
	return nil
}

// pick returns the p-value for the alternative from the chances of a statistic
// no larger and of one no smaller than the observed one.
func (a Alternative) pick(lower, upper float64) float64 {
	switch a {
	case Greater:
		return min(1, upper)
	case Less:
		return min(1, lower)
	}
	return min(1, 2*min(lower, upper))
}

// Result is the outcome of a test.
type Result struct {
	// Method names the test and its variant.
	Method string
	// Alternative is the hypothesis that PValue is for. Chi-squared and F tests have
	// no sides and say TwoSided.
	Alternative Alternative
	// Statistic is the test statistic. It is finite, except that
	// [FriedmanResult.ImanDavenport] is +Inf where all data sets agree.
	Statistic float64
	// PValue is the chance, were there no difference, of a statistic at least as
	// extreme.
	PValue float64
	// DF is the degrees of freedom (of an F: the numerator's), 0 where there are
	// none. DF2 is the denominator's of an F, 0 elsewhere.
	DF, DF2 float64
	// N is the number of observations or pairs that the test used.
	N int
}

// String returns the result on one line.
func (r Result) String() string {
	df := ""
	switch {
	case r.DF2 != 0:
		df = fmt.Sprintf(", df = %.4g, %.4g", r.DF, r.DF2)
	case r.DF != 0:
		df = fmt.Sprintf(", df = %.4g", r.DF)
	}
	return fmt.Sprintf("%s: statistic = %.4g%s, n = %d, p = %.4g (%v)", r.Method, r.Statistic, df, r.N, r.PValue, r.Alternative)
}

// finite turns a statistic that overflowed into an error.
func (r Result) finite() (Result, error) {
	if v := r.Statistic + r.PValue + r.DF; v-v != 0 {
		return Result{}, fmt.Errorf("%w: %s overflowed; divide the data by a common factor", mlcore.ErrNonFinite, r.Method)
	}
	return r, nil
}

func checkFinite(name string, v []float64) error {
	for i, x := range v {
		if x-x != 0 {
			return fmt.Errorf("%w: %v in row %d of the %s sample", mlcore.ErrNonFinite, x, i, name)
		}
	}
	return nil
}

func checkSample(name string, v []float64, atLeast int) error {
	if len(v) == 0 {
		return fmt.Errorf("%w: the %s sample is empty", mlcore.ErrEmpty, name)
	}
	if len(v) < atLeast {
		return fmt.Errorf("%w: the %s sample has %d rows, at least %d are needed", mlcore.ErrShape, name, len(v), atLeast)
	}
	return checkFinite(name, v)
}

func checkPaired(a, b []float64, atLeast int) error {
	if len(a) != len(b) {
		return fmt.Errorf("%w: the first sample has %d rows, the second %d; pairs are needed", mlcore.ErrShape, len(a), len(b))
	}
	if err := checkSample("first", a, atLeast); err != nil {
		return err
	}
	return checkSample("second", b, atLeast)
}

// differences returns a - b.
func differences(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return d
}

// meanVariance returns the mean and the unbiased variance (0 for one value).
func meanVariance(v []float64) (mean, variance float64) {
	n := float64(len(v))
	for _, x := range v {
		mean += x
	}
	mean /= n
	if len(v) < 2 {
		return mean, 0
	}
	// The second sum corrects the rounding of the mean (Chan, Golub & LeVeque,
	// 1983, The American Statistician 37).
	var squares, rest float64
	for _, x := range v {
		squares += float64((x - mean) * (x - mean))
		rest += x - mean
	}
	return mean, max(0, (squares-float64(rest*rest)/n)/(n-1))
}

func largest(samples ...[]float64) float64 {
	m := 0.0
	for _, v := range samples {
		for _, x := range v {
			m = max(m, math.Abs(x))
		}
	}
	return m
}

// negligible says whether a spread is no more than the rounding of numbers of
// this size: 0.9-0.8 and 0.8-0.7 are the same difference though their last bits
// are not.
func negligible(spread, scale float64) bool {
	return spread <= 8*0x1p-52*scale
}

// Losses returns the 0-1 loss of each example: 1 where the prediction is wrong,
// 0 where it is right. Its mean is the error rate.
func Losses(y, predicted []int) ([]float64, error) {
	if len(y) != len(predicted) {
		return nil, fmt.Errorf("%w: %d labels, %d predictions", mlcore.ErrShape, len(y), len(predicted))
	}
	if len(y) == 0 {
		return nil, fmt.Errorf("%w: no labels", mlcore.ErrEmpty)
	}
	l := make([]float64, len(y))
	for i := range y {
		if y[i] != predicted[i] {
			l[i] = 1
		}
	}
	return l, nil
}
