package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// Beta is a beta distribution, with density proportional to x^(A-1) (1-x)^(B-1): what is
// believed of an error rate before a test set is seen (the prior) or after (the posterior).
type Beta struct {
	// A and B are at least 0.1, and A+B is at most 2^40. A prior weighs as much as A+B
	// examples.
	A, B float64
}

// Jeffreys returns the prior Beta(1/2, 1/2) (Jeffreys, 1946, Proceedings of the Royal
// Society A 186). Its equal-tailed intervals cover about as often as their level says
// (Brown, Cai & DasGupta, 2001, Statistical Science 16).
func Jeffreys() Beta { return Beta{0.5, 0.5} }

// Uniform returns the prior Beta(1, 1), for which all error rates are equally likely
// (Bayes and Laplace). The posterior mean is (mistakes+1)/(n+2).
func Uniform() Beta { return Beta{1, 1} }

// String returns "Beta(A, B)".
func (d Beta) String() string { return fmt.Sprintf("Beta(%.10g, %.10g)", d.A, d.B) }

// largestBeta bounds A+B: continued fractions take some sqrt(A+B) terms.
const largestBeta = countable

func (d Beta) check() error {
	if v := d.A + d.B; v-v != 0 {
		return fmt.Errorf("%w: %v", mlcore.ErrNonFinite, d)
	}
	if d.A <= 0 || d.B <= 0 {
		return fmt.Errorf("%w: %v; A and B are above 0, as in Jeffreys() or Uniform()", mlcore.ErrConfig, d)
	}
	if d.A < 0.1 || d.B < 0.1 || d.A+d.B > largestBeta {
		return fmt.Errorf("%w: %v; A and B are at least 0.1 and A+B is at most 2^40", mlcore.ErrConfig, d)
	}
	return nil
}

// Posterior returns what d, taken as the prior, becomes when a model is seen to make the
// given number of mistakes in n examples: Beta(A + mistakes, B + n - mistakes). n may be 0.
func (d Beta) Posterior(mistakes, n int) (Beta, error) {
	if err := d.check(); err != nil {
		return Beta{}, err
	}
	if n != 0 || mistakes != 0 {
		if err := checkMistakes(mistakes, n); err != nil {
			return Beta{}, err
		}
	}
	out := Beta{d.A + float64(mistakes), d.B + float64(n-mistakes)}
	return out, out.check()
}

// Mean returns A/(A+B).
func (d Beta) Mean() float64 { return d.A / (d.A + d.B) }

// Below returns the probability that the error rate is below x: the distribution function.
// It is 0 for x at most 0 and 1 from x = 1 on.
func (d Beta) Below(x float64) (float64, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	if x != x {
		return 0, fmt.Errorf("%w: x is %v", mlcore.ErrNonFinite, x)
	}
	lower, _ := betaTails(d.A, d.B, x, 1-x)
	return lower, nil
}

// Quantile returns the error rate that the true one is below with probability p, from 0
// to 1.
func (d Beta) Quantile(p float64) (float64, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	if !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("%w: p is %v; a probability lies between 0 and 1", mlcore.ErrConfig, p)
	}
	switch p {
	case 0, 1:
		return p, nil
	}
	x, _ := betaLower(d.A, d.B, p)
	return x, nil
}

// CredibleInterval returns the equal-tailed credible interval of the error rate behind
// mistakes in n examples: given the prior and the data, the true error rate lies below it
// with probability (1-level)/2 and above it with the same probability. Estimate is
// mistakes/n, as in the other intervals; [Beta.Posterior] has the posterior mean.
func CredibleInterval(mistakes, n int, prior Beta, level float64) (Interval, error) {
	if err := checkMistakes(mistakes, n); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	posterior, err := prior.Posterior(mistakes, n)
	if err != nil {
		return Interval{}, err
	}
	tail := float64((1 - level) / 2)
	lower, _ := betaLower(posterior.A, posterior.B, tail)
	upper, _ := betaUpper(posterior.A, posterior.B, tail)
	return Interval{fmt.Sprintf("credible, prior %v", prior), float64(mistakes) / float64(n), lower, upper, level, n}, nil
}

// ProbabilityLess returns the probability that the first of two error rates is below the
// second, where both are known by independent posteriors, such as those of two models on
// two test sets. For two models on one test set, whose mistakes are not independent, see
// [NewcombeInterval].
//
// The integral of f(x) P(Y > x), where f is the density of the first and Y the second, is
// summed by the trapezoidal rule over log(x/(1-x)), which for such an integrand is good to
// rounding.
func ProbabilityLess(first, second Beta) (float64, error) {
	if err := first.check(); err != nil {
		return 0, err
	}
	if err := second.check(); err != nil {
		return 0, err
	}
	if first == second {
		return 0.5, nil
	}
	// The range of the narrower one holds the fewer points, and all of its weight.
	if first.A+first.B < second.A+second.B {
		p, err := ProbabilityLess(second, first)
		return 1 - p, err
	}
	const outside = 1e-17
	from, to := logit(betaLower(first.A, first.B, outside)), logit(betaUpper(first.A, first.B, outside))
	const steps = 2000
	sum, total := 0.0, 0.0
	for i := range steps + 1 {
		u := from + float64((to-from)*float64(i)/steps)
		e := elementary.Exp(-math.Abs(u))
		small, large := e/(1+e), 1/(1+e)
		x, y := small, large
		if u > 0 {
			x, y = large, small
		}
		f := betaFront(first.A, first.B, x, y)
		_, above := betaTails(second.A, second.B, x, y)
		sum += float64(f * above)
		total += f
	}
	return min(1, sum/total), nil
}

func logit(x, y float64) float64 { return elementary.Log(x) - elementary.Log(y) }
