package sigtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// BootstrapScore returns the interval for any score of predictions: score is a function of
// package metrics, or the Labels, Proba or Targets of a modelsel.Scorer, and predicted is
// what it takes: classes, scores, numbers or an n×K matrix of probabilities.
//
//	interval, err := sigtest.BootstrapScore(sigtest.BootstrapConfig{Kind: sigtest.BCa}, test.Y, p, metrics.ROCAUC)
//
// See [BootstrapConfig.Score].
func BootstrapScore[Y, P any](c BootstrapConfig, y []Y, predicted P, score func(y []Y, predicted P, w []float64) (float64, error)) (Interval, error) {
	if score == nil {
		return Interval{}, errNoScore
	}
	return c.Score(len(y), func(w []float64) (float64, error) { return score(y, predicted, w) })
}

// BootstrapDifference returns the interval for how much the score of the first of two
// models is above that of the second, on the same examples: both are judged on the same
// resamples. If 0 is not in the interval, they differ at that level.
func BootstrapDifference[Y, P any](c BootstrapConfig, y []Y, first, second P, score func(y []Y, predicted P, w []float64) (float64, error)) (Interval, error) {
	if score == nil {
		return Interval{}, errNoScore
	}
	return c.Score(len(y), func(w []float64) (float64, error) {
		a, err := score(y, first, w)
		if err != nil {
			return 0, fmt.Errorf("the first model: %w", err)
		}
		b, err := score(y, second, w)
		if err != nil {
			return 0, fmt.Errorf("the second model: %w", err)
		}
		return a - b, nil
	})
}

var errNoScore = fmt.Errorf("%w: the function that scores is nil", mlcore.ErrConfig)

// Score returns the interval for any score of n examples. score is called with their
// weights: how often each was drawn, 0 for one that was not, and 1 for all in the sample
// itself. It is called by several goroutines at a time and must not keep the weights.
//
// A score that is an error or not finite on any resample, as a ROC curve without an
// example of one class is, is an error that wraps the score's: with the classes as Strata
// each resample has all of them. BCa also asks for the score without each single example,
// which takes n more calls.
//
// At least two examples are needed. Scores that are the same in all resamples are an error
// that wraps [ErrDegenerate].
func (c BootstrapConfig) Score(n int, score func(w []float64) (float64, error)) (Interval, error) {
	c, err := c.ready()
	if err != nil {
		return Interval{}, err
	}
	if score == nil {
		return Interval{}, errNoScore
	}
	if n < 2 {
		return Interval{}, fmt.Errorf("%w: %d examples, at least 2 are needed", mlcore.ErrShape, n)
	}
	strata, err := c.strata(n)
	if err != nil {
		return Interval{}, err
	}
	estimate, err := finiteScore(score, slices.Repeat([]float64{1}, n))
	if err != nil {
		return Interval{}, fmt.Errorf("the score of the sample: %w", err)
	}
	scores := make([]float64, c.Resamples)
	weights := func() []float64 { return make([]float64, n) }
	err = par.DoWith((c.Resamples+chunk-1)/chunk, c.Workers, weights, func(w []float64, part int) error {
		rng := mlcore.NewRand(c.Seed, uint64(part))
		for r := part * chunk; r < min((part+1)*chunk, c.Resamples); r++ {
			draw(w, strata, rng)
			var err error
			if scores[r], err = finiteScore(score, w); err != nil {
				return fmt.Errorf("the score of resample %d: %w; with the classes as Strata each resample has all of them", r, err)
			}
		}
		return nil
	})
	if err != nil {
		return Interval{}, err
	}
	scale := largest(scores, []float64{estimate})
	if negligible(float64(slices.Max(scores)/2)-float64(slices.Min(scores)/2), scale) {
		return Interval{}, fmt.Errorf("%w: the score is %v in all resamples", ErrDegenerate, estimate)
	}
	lo, hi := (1-c.Level)/2, (1+c.Level)/2
	if c.Kind == BCa {
		a, err := c.jackknife(n, strata, score)
		if err == nil {
			lo, hi, err = bcaLevels(estimate, scores, scale, a, lo, hi)
		}
		if err != nil {
			return Interval{}, err
		}
	}
	out := c.interval(estimate, scores, lo, hi, n)
	if v := out.Lower + out.Upper; v-v != 0 {
		return Interval{}, fmt.Errorf("%w: the ends of the interval overflowed; divide the score by a factor", mlcore.ErrNonFinite)
	}
	return out, nil
}

// finiteScore asks for a score and makes an error of one that is not finite.
func finiteScore(score func(w []float64) (float64, error), w []float64) (v float64, err error) {
	defer par.Recover(&err)
	v, err = score(w)
	if err == nil && v-v != 0 {
		err = fmt.Errorf("%w: %v", mlcore.ErrNonFinite, v)
	}
	return v, err
}

// strata returns the examples of each stratum, in the order of their first ones.
func (c BootstrapConfig) strata(n int) ([][]int, error) {
	if c.Strata == nil {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return [][]int{all}, nil
	}
	if len(c.Strata) != n {
		return nil, fmt.Errorf("%w: %d examples, Strata has %d numbers", mlcore.ErrShape, n, len(c.Strata))
	}
	place := map[int]int{}
	var strata [][]int
	for i, s := range c.Strata {
		at, known := place[s]
		if !known {
			at, strata = len(strata), append(strata, nil)
			place[s] = at
		}
		strata[at] = append(strata[at], i)
	}
	return strata, nil
}

// draw sets w to how often each example is drawn.
func draw(w []float64, strata [][]int, rng *rand.Rand) {
	clear(w)
	for _, rows := range strata {
		for range rows {
			w[rows[rng.IntN(len(rows))]]++
		}
	}
}

// jackknife returns the acceleration of a score: by the scores without each example, as
// SciPy has it for several samples, which here are the strata (Efron & Tibshirani, 1993,
// equation 14.15).
func (c BootstrapConfig) jackknife(n int, strata [][]int, score func(w []float64) (float64, error)) (float64, error) {
	without := make([]float64, n)
	alone := make([]bool, n) // in its stratum, without which there is no such sample
	for _, rows := range strata {
		alone[rows[0]] = len(rows) == 1
	}
	ones := func() []float64 { return slices.Repeat([]float64{1}, n) }
	err := par.DoWith(n, c.Workers, ones, func(w []float64, i int) error {
		if alone[i] {
			return nil
		}
		w[i] = 0
		var err error
		without[i], err = finiteScore(score, w)
		w[i] = 1
		if err != nil {
			return fmt.Errorf("the score without example %d: %w; use Percentile or Basic", i, err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	scale := largest(without)
	var squares, cubes float64
	for _, rows := range strata {
		mean, size := 0.0, float64(len(rows))
		for _, i := range rows {
			mean += without[i] / size
		}
		for _, i := range rows {
			d := (size - 1) / size * ((mean - without[i]) / scale)
			squares += float64(d * d)
			cubes += float64(d * d * d)
		}
	}
	if a := cubes / (6 * squares * math.Sqrt(squares)); a-a == 0 {
		return a, nil
	}
	return 0, fmt.Errorf("%w: the score does not change without any single example; use Percentile or Basic", ErrDegenerate)
}
