package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
)

// DifferencePosterior is what is believed of the mean difference of two models, first less
// second, after their scores were seen: a Student t distribution with centre Mean.
type DifferencePosterior struct {
	// Method names the test and its variant.
	Method string
	// Mean is the mean of the differences, Scale the factor of the t distribution (its
	// standard deviation is a little larger), DF its degrees of freedom.
	Mean, Scale, DF float64
	// N is the number of pairs.
	N int
}

// RopeProbabilities says on which side of the region of practical equivalence (ROPE) the
// mean difference lies. The three add up to 1.
type RopeProbabilities struct {
	// HalfWidth is half the width of the region, in units of the scores: differences
	// between -HalfWidth and HalfWidth do not matter in practice.
	HalfWidth float64
	// Below is the probability that the mean difference is less than -HalfWidth, Within
	// that it is in the region, Above that it is more than HalfWidth.
	Below, Within, Above float64
}

// String returns the probabilities on one line.
func (p RopeProbabilities) String() string {
	return fmt.Sprintf("P(below %.4g) = %.4g, P(within) = %.4g, P(above %.4g) = %.4g", -p.HalfWidth, p.Below, p.Within, p.HalfWidth, p.Above)
}

// BayesianCorrelatedT is the Bayesian correlated t test for the J results of two models on
// the same folds of a (repeated) cross-validation, or on the same random splits. With the
// prior that says least, the mean difference has a Student t posterior with J-1 degrees of
// freedom, centred at the mean of the differences, and of scale
//
//	sqrt((1/J + testTrainRatio) s²)
//
// where testTrainRatio is the number of test rows over the number of training rows,
// 1/(K-1) for K folds (Benavoli, Corani, Demšar & Zaffalon, 2017, JMLR 18, section 4.1;
// Corani & Benavoli, 2015, Machine Learning 100). These are the numbers of
// [CorrectedResampledT]: its one-sided p-value for Greater is the probability here that
// the mean difference is below 0. What differs is what can be asked: see
// [DifferencePosterior.Rope].
//
// At least two pairs are needed. Differences without spread, also where all are 0, have no
// posterior of this form: the error wraps [ErrDegenerate].
func BayesianCorrelatedT(a, b []float64, testTrainRatio float64) (DifferencePosterior, error) {
	const method = "Bayesian correlated t"
	if err := checkRatio(testTrainRatio); err != nil {
		return DifferencePosterior{}, err
	}
	mean, se, err := pairedError(method, a, b, testTrainRatio)
	if err != nil {
		return DifferencePosterior{}, err
	}
	return DifferencePosterior{method, mean, se, float64(len(a) - 1), len(a)}, nil
}

// pairedError returns the mean difference of pairs and its standard error, which is above
// 0, with the correction of Nadeau and Bengio for a ratio that is not 0.
func pairedError(method string, a, b []float64, ratio float64) (mean, standardError float64, err error) {
	if err := checkPaired(a, b, 2); err != nil {
		return 0, 0, err
	}
	mean, variance := meanVariance(differences(a, b))
	if v := mean + variance; v-v != 0 {
		return 0, 0, fmt.Errorf("%w: %s overflowed; divide the data by a common factor", mlcore.ErrNonFinite, method)
	}
	if negligible(math.Sqrt(variance), largest(a, b)) {
		return 0, 0, fmt.Errorf("%w: %s, every difference is the same, %.4g", ErrDegenerate, method, mean)
	}
	standardError = math.Sqrt((1/float64(len(a)) + ratio) * variance)
	if standardError-standardError != 0 {
		return 0, 0, fmt.Errorf("%w: %s overflowed; divide the data by a common factor", mlcore.ErrNonFinite, method)
	}
	return mean, standardError, nil
}

func (p DifferencePosterior) check() error {
	if v := p.Mean + p.Scale + p.DF; v-v != 0 {
		return fmt.Errorf("%w: posterior with mean %v, scale %v, %v degrees of freedom", mlcore.ErrNonFinite, p.Mean, p.Scale, p.DF)
	}
	if p.Scale <= 0 || p.DF <= 0 {
		return fmt.Errorf("%w: posterior with scale %v and %v degrees of freedom; BayesianCorrelatedT makes one", mlcore.ErrConfig, p.Scale, p.DF)
	}
	return nil
}

// Rope returns the probabilities that the mean difference lies below, within and above the
// region of practical equivalence [-halfWidth, halfWidth]. halfWidth is in units of the
// scores, .01 for one percentage point of error rates, and has to be chosen before the
// results are seen; with 0, Within is 0.
func (p DifferencePosterior) Rope(halfWidth float64) (RopeProbabilities, error) {
	if err := p.check(); err != nil {
		return RopeProbabilities{}, err
	}
	if halfWidth-halfWidth != 0 {
		return RopeProbabilities{}, fmt.Errorf("%w: halfWidth is %v", mlcore.ErrNonFinite, halfWidth)
	}
	if halfWidth < 0 {
		return RopeProbabilities{}, fmt.Errorf("%w: halfWidth is %v; it is 0 or more", mlcore.ErrConfig, halfWidth)
	}
	out := RopeProbabilities{HalfWidth: halfWidth}
	below, notBelow := p.tails(-halfWidth)
	notAbove, above := p.tails(halfWidth)
	out.Below, out.Above = below, above
	// The difference of the two smaller tails keeps the digits of a small probability.
	if p.Mean > 0 {
		out.Within = max(0, notAbove-below)
	} else {
		out.Within = max(0, notBelow-above)
	}
	return out, nil
}

// tails returns the probabilities that the mean difference is below x and above it.
func (p DifferencePosterior) tails(x float64) (lower, upper float64) {
	t := (x - p.Mean) / p.Scale
	switch {
	case t*t > math.MaxFloat64 && t > 0:
		return 1, 0
	case t*t > math.MaxFloat64:
		return 0, 1
	}
	return studentTails(t, p.DF)
}

// Interval returns the credible interval of the mean difference, which is equal-tailed and
// also the shortest: given the data, the mean difference lies in it with probability
// level. Its ends are those of the confidence interval that belongs to
// [CorrectedResampledT].
func (p DifferencePosterior) Interval(level float64) (Interval, error) {
	if err := p.check(); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	half := float64(studentQuantile((1-level)/2, p.DF) * p.Scale)
	out := Interval{p.Method + ", credible", p.Mean, p.Mean - half, p.Mean + half, level, p.N}
	if v := out.Lower + out.Upper; v-v != 0 {
		return Interval{}, fmt.Errorf("%w: %s overflowed; divide the data by a common factor", mlcore.ErrNonFinite, p.Method)
	}
	return out, nil
}

// String returns the posterior on one line.
func (p DifferencePosterior) String() string {
	return fmt.Sprintf("%s: mean = %.4g, scale = %.4g, df = %.4g, n = %d", p.Method, p.Mean, p.Scale, p.DF, p.N)
}

func checkRatio(testTrainRatio float64) error {
	if testTrainRatio-testTrainRatio != 0 {
		return fmt.Errorf("%w: testTrainRatio is %v", mlcore.ErrNonFinite, testTrainRatio)
	}
	if testTrainRatio <= 0 {
		return fmt.Errorf("%w: testTrainRatio is %v; for K folds it is 1/(K-1)", mlcore.ErrConfig, testTrainRatio)
	}
	return nil
}
