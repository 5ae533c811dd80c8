package sigtest_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
)

// The intervals are SciPy's, from draws of its own; scripts/oracles/sigtest_scores.py made
// them. Ends differ by what the draws leave to chance: some hundredths of a standard error,
// where the kinds of interval differ by many tenths.
func TestBootstrapScoresAgainstScipy(t *testing.T) {
	o := oracle.Load[struct {
		Y             []int
		P, Q          []float64
		Target, Guess []float64
		Intervals     []struct {
			Score, Kind  string
			Level, Error float64
			CI           [2]float64
		}
	}](t, "testdata/peers_scores.json")
	if len(o.Intervals) != 12 {
		t.Fatalf("%d intervals", len(o.Intervals))
	}
	kinds := map[string]sigtest.BootstrapKind{"percentile": sigtest.Percentile, "BCa": sigtest.BCa, "basic": sigtest.Basic}
	for _, want := range o.Intervals {
		c := sigtest.BootstrapConfig{Level: want.Level, Kind: kinds[want.Kind], Resamples: 12000, Seed: 6}
		var got sigtest.Interval
		var err error
		switch want.Score {
		case "auc":
			got, err = sigtest.BootstrapScore(c, o.Y, o.P, metrics.ROCAUC)
		case "difference":
			got, err = sigtest.BootstrapDifference(c, o.Y, o.P, o.Q, metrics.ROCAUC)
		case "r2":
			got, err = sigtest.BootstrapScore(c, o.Target, o.Guess, metrics.R2)
		case "auc within classes":
			c.Strata = o.Y
			got, err = sigtest.BootstrapScore(c, o.Y, o.P, metrics.ROCAUC)
		}
		if err != nil {
			t.Fatalf("%s, %s: %v", want.Score, want.Kind, err)
		}
		if tol := 0.15 * want.Error; math.Abs(got.Lower-want.CI[0]) > tol || math.Abs(got.Upper-want.CI[1]) > tol {
			t.Errorf("%s, %s: [%v, %v], SciPy %v, more than %.2g apart", want.Score, want.Kind, got.Lower, got.Upper, want.CI, tol)
		}
	}
}

// The mean is a score like others: both ways draw the same resamples.
func TestScoreOfTheMeanIsTheMean(t *testing.T) {
	rng := mlcore.NewRand(11)
	values := make([]float64, 40)
	for i := range values {
		values[i] = rng.ExpFloat64()
	}
	mean := func(w []float64) (float64, error) {
		sum := 0.0
		for i, v := range values {
			sum += w[i] * v
		}
		return sum / 40, nil
	}
	for _, kind := range []sigtest.BootstrapKind{sigtest.Percentile, sigtest.BCa, sigtest.Basic} {
		c := sigtest.BootstrapConfig{Kind: kind, Resamples: 1000, Seed: 2}
		want := must[sigtest.Interval](t)(c.Interval(values))
		got := must[sigtest.Interval](t)(c.Score(40, mean))
		if math.Abs(got.Lower-want.Lower) > 1e-12 || math.Abs(got.Upper-want.Upper) > 1e-12 || math.Abs(got.Estimate-want.Estimate) > 1e-12 || got.Method != want.Method || got.N != 40 {
			t.Errorf("%v, of the mean %v", got, want)
		}
		for _, workers := range []int{1, 2, 7} {
			c.Workers = workers
			if again := must[sigtest.Interval](t)(c.Score(40, mean)); again != got {
				t.Errorf("%d workers: %v, want %v", workers, again, got)
			}
		}
	}
}

// Each resample has as many examples of a stratum as the sample, and only of them.
func TestStrata(t *testing.T) {
	strata := []int{7, 7, 7, -1, -1, 7, 3}
	seen := map[string]bool{}
	c := sigtest.BootstrapConfig{Strata: strata, Resamples: 300, Workers: 1}
	_, err := c.Score(len(strata), func(w []float64) (float64, error) {
		counts := map[int]float64{}
		for i, v := range w {
			counts[strata[i]] += v
		}
		if counts[7] != 4 || counts[-1] != 2 || counts[3] != 1 {
			t.Errorf("a resample has %v of the strata", counts)
		}
		seen[fmt.Sprint(w)] = true
		return w[0] - w[1], nil
	})
	if err != nil || len(seen) < 50 {
		t.Errorf("%d different resamples (%v)", len(seen), err)
	}
	// The mean within strata of one value each cannot vary.
	c.Strata = []int{0, 0, 1, 1}
	if _, err := c.Interval([]float64{1, 1, 5, 5}); !errors.Is(err, sigtest.ErrDegenerate) {
		t.Errorf("values that are alike within strata: %v", err)
	}
	if got := must[sigtest.Interval](t)(c.Interval([]float64{1, 2, 5, 8})); got.Lower < 3 || got.Upper > 5 || got.Estimate != 4 {
		t.Errorf("%v; the means of two values of each stratum lie between 3 and 5", got)
	}
}

// Exchanging the models turns the interval round.
func TestDifferenceIsPaired(t *testing.T) {
	y, a, b := make([]int, 50), make([]int, 50), make([]int, 50)
	for i := range y {
		y[i] = i % 2
		a[i], b[i] = y[i], y[i]
		if i < 10 {
			a[i], b[i] = 1-y[i], 1-y[i] // both wrong, which says nothing of the difference
		} else if i < 14 {
			b[i] = 1 - y[i]
		}
	}
	c := sigtest.BootstrapConfig{Seed: 1}
	ab := must[sigtest.Interval](t)(sigtest.BootstrapDifference(c, y, a, b, metrics.Accuracy))
	ba := must[sigtest.Interval](t)(sigtest.BootstrapDifference(c, y, b, a, metrics.Accuracy))
	if math.Abs(ab.Lower+ba.Upper) > 1e-12 || math.Abs(ab.Upper+ba.Lower) > 1e-12 || math.Abs(ab.Estimate-0.08) > 1e-12 {
		t.Errorf("%v, and %v the other way round", ab, ba)
	}
	// 4 of 50 differ, all in favour of a: the number of them in a resample is binomial,
	// at least 1 with a chance of 98.5 %, so that the interval begins above 0.
	if !(ab.Lower > 0) {
		t.Errorf("%v holds 0", ab)
	}
	if _, err := sigtest.BootstrapDifference(c, y, a, a, metrics.Accuracy); !errors.Is(err, sigtest.ErrDegenerate) {
		t.Errorf("a model beside itself: %v", err)
	}
}

func TestBootstrapScoreRefuses(t *testing.T) {
	y, p := []int{0, 0, 0, 0, 0, 1}, []float64{.1, .2, .3, .4, .5, .6}
	odd := errors.New("odd")
	first := func(w []float64) (float64, error) { return w[0], nil }
	score := func(c sigtest.BootstrapConfig, n int, f func(w []float64) (float64, error)) error {
		_, err := c.Score(n, f)
		return err
	}
	_, oneClass := sigtest.BootstrapScore(sigtest.BootstrapConfig{}, y, p, metrics.ROCAUC)
	_, short := sigtest.BootstrapScore(sigtest.BootstrapConfig{}, y, p[:3], metrics.ROCAUC)
	_, none := sigtest.BootstrapScore[int, []float64](sigtest.BootstrapConfig{}, y, p, nil)
	_, noDifference := sigtest.BootstrapDifference[int, []float64](sigtest.BootstrapConfig{}, y, p, p, nil)
	for name, c := range map[string]struct {
		err, want error
		says      string
	}{
		"a resample of one class": {oneClass, mlcore.ErrNonFinite, "Strata"},
		"lengths":                 {short, mlcore.ErrShape, "the score of the sample"},
		"no score":                {none, mlcore.ErrConfig, "nil"},
		"no score of two":         {noDifference, mlcore.ErrConfig, "nil"},
		"one example":             {score(sigtest.BootstrapConfig{}, 1, first), mlcore.ErrShape, "at least 2"},
		"strata":                  {score(sigtest.BootstrapConfig{Strata: []int{1}}, 3, first), mlcore.ErrShape, "Strata has 1"},
		"an error":                {score(sigtest.BootstrapConfig{}, 3, func([]float64) (float64, error) { return 0, odd }), odd, "the sample"},
		"NaN":                     {score(sigtest.BootstrapConfig{}, 3, func([]float64) (float64, error) { return math.NaN(), nil }), mlcore.ErrNonFinite, "the sample"},
		"kind":                    {score(sigtest.BootstrapConfig{Kind: 7}, 3, first), mlcore.ErrConfig, "BootstrapKind(7)"},
		"without one": {score(sigtest.BootstrapConfig{Kind: sigtest.BCa, Resamples: 99}, 3, func(w []float64) (float64, error) {
			if w[0]+w[1]+w[2] < 3 {
				return 0, odd
			}
			return w[0], nil
		}), odd, "without example 0"},
	} {
		if !errors.Is(c.err, c.want) || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %v and says %q", name, c.err, c.want, c.says)
		}
	}
}
