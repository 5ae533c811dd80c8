package sigtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/stat/distuv"
)

// BootstrapKind is how an interval is read off the bootstrap means.
type BootstrapKind int

const (
	// Percentile takes the quantiles (1±level)/2. The default.
	Percentile BootstrapKind = iota
	// BCa moves the quantiles for bias and for a spread that changes with the
	// mean (bias-corrected and accelerated).
	BCa
	// Basic reflects the percentile interval in the estimate: as far as a resample's
	// score lies above the sample's, the sample's may lie above the true one.
	Basic
)

// String returns "percentile", "BCa" or "basic".
func (k BootstrapKind) String() string {
	switch k {
	case Percentile:
		return "percentile"
	case BCa:
		return "BCa"
	case Basic:
		return "basic"
	}
	return fmt.Sprintf("BootstrapKind(%d)", int(k))
}

// maxResamples keeps a mistyped number from taking all memory.
const maxResamples = 1 << 30

// BootstrapConfig describes a bootstrap interval. The zero value is a 95%
// percentile interval from 9999 resamples.
type BootstrapConfig struct {
	// Level is the coverage, between 0 and 1; 0 means 0.95.
	Level float64
	// Kind is Percentile by default.
	Kind BootstrapKind
	// Resamples is the number of samples drawn with replacement; 0 means 9999.
	Resamples int
	// Strata, where not nil, holds the number of a stratum for each example: every
	// resample has as many examples of each stratum as the sample has. The strata may be
	// classes, none of which must be missing from a resample.
	Strata []int
	// Seed decides the draws: the same seed gives the same interval whatever
	// Workers is.
	Seed uint64
	// Workers is the number of goroutines; 0 means one per processor.
	Workers int
}

// A chunk of resamples shares a random stream, and is what a worker takes.
const chunk = 256

var errMeans = fmt.Errorf("%w: the means overflowed; divide the data by a common factor", mlcore.ErrNonFinite)

// Interval returns the interval for the mean of values: one outcome an example,
// such as those of [Losses] for an error rate, or the differences of two models'
// losses. Quantiles are interpolated linearly between order statistics.
//
// At least two values are needed. Values that are all the same (a model without a
// single mistake) have nothing to resample: the error wraps [ErrDegenerate], and
// [WilsonInterval] or [ExactInterval] answer instead.
func (c BootstrapConfig) Interval(values []float64) (Interval, error) {
	c, err := c.ready()
	if err != nil {
		return Interval{}, err
	}
	if err := checkSample("bootstrap", values, 2); err != nil {
		return Interval{}, err
	}
	if c.Strata != nil {
		return c.Score(len(values), func(w []float64) (float64, error) {
			sum := 0.0
			for i, v := range values {
				sum += float64(w[i] * v)
			}
			return sum / float64(len(values)), nil
		})
	}
	mean, variance := meanVariance(values)
	if mean-mean != 0 {
		return Interval{}, errMeans
	}
	scale := largest(values)
	if negligible(math.Sqrt(variance), scale) {
		return Interval{}, fmt.Errorf("%w: all %d values are %v; use WilsonInterval or ExactInterval for an error rate", ErrDegenerate, len(values), values[0])
	}
	means, err := c.means(values)
	if err != nil {
		return Interval{}, err
	}
	lo, hi := (1-c.Level)/2, (1+c.Level)/2
	if c.Kind == BCa {
		if lo, hi, err = bcaLevels(mean, means, scale, acceleration(values, mean, scale), lo, hi); err != nil {
			return Interval{}, err
		}
	}
	out := c.interval(mean, means, lo, hi, len(values))
	if v := out.Lower + out.Upper + mean; v-v != 0 {
		return Interval{}, errMeans
	}
	return out, nil
}

// ready returns the configuration with its defaults, or what is wrong with it.
func (c BootstrapConfig) ready() (BootstrapConfig, error) {
	if c.Level == 0 {
		c.Level = 0.95
	}
	if c.Resamples == 0 {
		c.Resamples = 9999
	}
	if err := checkLevel(c.Level); err != nil {
		return c, err
	}
	if c.Resamples < 2 || c.Resamples > maxResamples {
		return c, fmt.Errorf("%w: Resamples is %d; 1000 and more are usual, %d the most", mlcore.ErrConfig, c.Resamples, maxResamples)
	}
	if c.Kind < Percentile || c.Kind > Basic {
		return c, fmt.Errorf("%w: %v; use Percentile, BCa or Basic", mlcore.ErrConfig, c.Kind)
	}
	return c, nil
}

// interval reads the interval off the resamples' scores at the levels lo and hi. It sorts
// them.
func (c BootstrapConfig) interval(estimate float64, scores []float64, lo, hi float64, n int) Interval {
	slices.Sort(scores)
	lower, upper := quantile(scores, lo), quantile(scores, hi)
	if c.Kind == Basic {
		lower, upper = estimate+(estimate-upper), estimate+(estimate-lower)
	}
	return Interval{c.Kind.String() + " bootstrap", estimate, lower, upper, c.Level, n}
}

func (c BootstrapConfig) means(values []float64) ([]float64, error) {
	means := make([]float64, c.Resamples)
	n := len(values)
	err := par.Chunks(c.Resamples, chunk, c.Workers, func(lo, hi int) error {
		rng := mlcore.NewRand(c.Seed, uint64(lo/chunk))
		for r := lo; r < hi; r++ {
			sum := 0.0
			for range n {
				sum += values[rng.IntN(n)]
			}
			means[r] = sum / float64(n)
		}
		return nil
	})
	return means, err
}

// acceleration is that of the mean, by the jackknife: leaving value i out moves the mean
// by (mean - value i)/(n-1), and the common factor cancels.
func acceleration(values []float64, mean, scale float64) float64 {
	var squares, cubes float64
	for _, v := range values {
		// In halves, as the difference of two finite numbers can overflow.
		d := (float64(v/2) - float64(mean/2)) / (scale / 2)
		squares += float64(d * d)
		cubes += float64(d * d * d)
	}
	return cubes / (6 * squares * math.Sqrt(squares))
}

// bcaLevels returns the levels at which BCa reads the quantiles, given the acceleration:
// Efron & Tibshirani, 1993, equations 14.10, 14.14 and 14.15. Scores equal to the sample's
// count half.
func bcaLevels(estimate float64, scores []float64, scale, acceleration, lo, hi float64) (float64, float64, error) {
	below := 0.0
	for _, v := range scores {
		switch {
		case math.Abs(v-estimate) <= 1e-13*scale:
			below += 0.5
		case v < estimate:
			below++
		}
	}
	if below == 0 || below == float64(len(scores)) {
		return 0, 0, fmt.Errorf("%w: every bootstrap score lies on one side of the sample's; draw more Resamples", ErrDegenerate)
	}
	z0 := distuv.UnitNormal.Quantile(below / float64(len(scores)))
	level := func(p float64) (float64, error) {
		z := z0 + distuv.UnitNormal.Quantile(p)
		// Past this pole the map from z to the level turns round.
		pole := float64(acceleration * z)
		if pole >= 1 {
			return 0, fmt.Errorf("%w: too skewed for a BCa interval at this level; use Percentile", ErrDegenerate)
		}
		return normalUpper(-(z0 + z/(1-pole))), nil
	}
	l, err := level(lo)
	if err != nil {
		return 0, 0, err
	}
	h, err := level(hi)
	return l, h, err
}

// quantile interpolates linearly between the order statistics (type 7 of Hyndman
// & Fan, 1996, The American Statistician 50).
func quantile(sorted []float64, p float64) float64 {
	at := float64(p * float64(len(sorted)-1))
	i := min(int(at), len(sorted)-2)
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}
