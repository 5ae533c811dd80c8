package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// PairedCohenD returns Cohen's d of paired differences, their mean over their standard
// deviation (d_z of Cohen, 1988, "Statistical Power Analysis for the Behavioral Sciences",
// section 2.3.5), with the exact interval for differences that are normal and
// independent: the d at which a noncentral t, with n-1 degrees of freedom and
// noncentrality d sqrt(n), has the observed value as its quantile (Steiger & Fouladi,
// 1997). Estimate is not corrected for its small bias.
//
// d has no unit, so it compares effects on different scores; it does not say whether a
// difference matters. The differences of folds whose training sets overlap are not
// independent, and the interval is then too narrow.
//
// At least two pairs are needed. Differences without spread, also where all are 0, have no
// d: the error wraps [ErrDegenerate].
func PairedCohenD(a, b []float64, level float64) (Interval, error) {
	const method = "Cohen's d, paired"
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	mean, se, err := pairedError(method, a, b, 0)
	if err != nil {
		return Interval{}, err
	}
	t, n, tail := mean/se, len(a), float64((1-level)/2)
	if t*t > math.MaxFloat64 {
		return Interval{}, fmt.Errorf("%w: %s overflowed", mlcore.ErrNonFinite, method)
	}
	root, df := math.Sqrt(float64(n)), float64(n-1)
	return Interval{method, t / root, noncentrality(t, df, 1-tail) / root, noncentrality(t, df, tail) / root, level, n}, nil
}

// noncentrality returns the δ for which a noncentral t is at most t with probability p.
func noncentrality(t, df, p float64) float64 {
	if t < 0 {
		return -noncentrality(-t, df, 1-p)
	}
	draws := chiOverRoot(t, df)
	below := func(delta float64) float64 { return draws.below(t, delta) - p }
	// The probability falls with δ.
	lo, hi := t-1, t+1
	for step := 2.0; below(lo) < 0; step *= 2 {
		lo -= step
	}
	for step := 2.0; below(hi) > 0; step *= 2 {
		hi += step
	}
	for range 200 {
		mid := lo + float64((hi-lo)/2)
		if mid <= lo || mid >= hi {
			break
		}
		if below(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// A chi holds values of S/sqrt(df), where S² is chi-squared with df degrees of freedom,
// and the weight of each.
type chi struct{ value, weight []float64 }

// chiOverRoot returns points of the trapezoidal rule over log(S/sqrt(df)), near enough to
// each other for the noncentral t at t: P(T <= t) is the mean of Φ(t S/sqrt(df) - δ).
func chiOverRoot(t, df float64) chi {
	// The density of u = log(S/sqrt(df)) is proportional to exp(df (u - exp(2u)/2)). It is
	// about 1/sqrt(2 df) wide, and falls to the left no faster than exp(df u).
	log := func(u float64) float64 { return df * (u - float64(elementary.Exp(2*u)/2) + 0.5) }
	width := 1 / math.Sqrt(2*df)
	from, to := 0.0, 0.0
	for log(from) > -42 {
		from -= width
	}
	for log(to) > -42 {
		to += width
	}
	// Φ rises over 1/t. Above 2000 that is as good as a step, and the points lie as for 2000:
	// the ends are right to four digits.
	points := int(math.Ceil((to - from) / (min(width, 1/min(t, 2e3)) / 6)))
	out, sum := chi{}, 0.0
	for i := range points + 1 {
		u := from + float64((to-from)*float64(i)/float64(points))
		w := elementary.Exp(log(u))
		out.value, out.weight = append(out.value, elementary.Exp(u)), append(out.weight, w)
		sum += w
	}
	for i := range out.weight {
		out.weight[i] /= sum
	}
	return out
}

func (c chi) below(t, delta float64) float64 {
	sum := 0.0
	for i, s := range c.value {
		sum += float64(c.weight[i] * normalUpper(delta-float64(t*s)))
	}
	return sum
}
