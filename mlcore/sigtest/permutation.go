package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// PermutationConfig describes a randomisation test. The zero value is two-sided,
// exact up to 16 pairs that differ and from 9999 random switches beyond.
type PermutationConfig struct {
	// Alternative is TwoSided by default.
	Alternative Alternative
	// Resamples is the number of random switches where not all are tried; 0
	// means 9999.
	Resamples int
	// ExactUpTo is the largest number of differing pairs for which all 2^pairs
	// switches are tried; 0 means 16, a negative number never, 24 is the most.
	ExactUpTo int
	// Seed decides the switches: the same seed gives the same p-value whatever
	// Workers is.
	Seed uint64
	// Workers is the number of goroutines; 0 means one per processor.
	Workers int
}

// Paired tests whether two models' outcomes on the same examples (losses from
// [Losses], or any scores) have the same mean. If the models were equally good,
// the two outcomes of each pair could as well be exchanged; the p-value is the
// share of such switches that give a mean difference at least as extreme as the
// observed one, (b+1)/(m+1) where m random switches stand in for all and b are
// as extreme. Statistic is the mean difference, N the number of pairs.
func (c PermutationConfig) Paired(a, b []float64) (Result, error) {
	if err := c.Alternative.check(); err != nil {
		return Result{}, err
	}
	if c.Resamples == 0 {
		c.Resamples = 9999
	}
	if c.ExactUpTo == 0 {
		c.ExactUpTo = 16
	}
	if c.Resamples < 0 || c.Resamples > maxResamples {
		return Result{}, fmt.Errorf("%w: Resamples is %d; it is 0 to %d", mlcore.ErrConfig, c.Resamples, maxResamples)
	}
	if c.ExactUpTo > 24 {
		return Result{}, fmt.Errorf("%w: ExactUpTo is %d; more than 24 pairs take too long", mlcore.ErrConfig, c.ExactUpTo)
	}
	if err := checkPaired(a, b, 1); err != nil {
		return Result{}, err
	}
	var d []float64
	var sum, size float64
	for i := range a {
		// Pairs that agree stay as they are when switched.
		if v := a[i] - b[i]; v != 0 {
			d = append(d, v)
			sum += v
			size += math.Abs(v)
		}
	}
	if size-size != 0 {
		return Result{}, fmt.Errorf("%w: the differences overflowed; divide the data by a common factor", mlcore.ErrNonFinite)
	}
	out := Result{Alternative: c.Alternative, Statistic: sum / float64(len(a)), N: len(a)}
	// The slack makes sums that differ by the order of addition alone equal.
	extreme := extremeness(c.Alternative, sum, 1e-12*size)
	if len(d) <= c.ExactUpTo {
		out.Method = "randomisation test, exact"
		out.PValue = exactShare(d, extreme)
		return out, nil
	}
	out.Method = fmt.Sprintf("randomisation test, %d random switches", c.Resamples)
	count, err := c.randomSwitches(d, extreme)
	out.PValue = float64(count+1) / float64(c.Resamples+1)
	return out, err
}

func extremeness(alt Alternative, sum, slack float64) func(float64) bool {
	switch alt {
	case Greater:
		return func(s float64) bool { return s >= sum-slack }
	case Less:
		return func(s float64) bool { return s <= sum+slack }
	}
	return func(s float64) bool { return math.Abs(s) >= math.Abs(sum)-slack }
}

// exactShare tries all signs. The sums of the two halves are made once and then
// combined, which costs one addition a switch.
func exactShare(d []float64, extreme func(float64) bool) float64 {
	left, right := signedSums(d[:len(d)/2]), signedSums(d[len(d)/2:])
	count := 0
	for _, l := range left {
		for _, r := range right {
			if extreme(l + r) {
				count++
			}
		}
	}
	return float64(count) / float64(len(left)*len(right))
}

func signedSums(d []float64) []float64 {
	sums := []float64{0}
	for _, v := range d {
		next := make([]float64, 0, 2*len(sums))
		for _, s := range sums {
			next = append(next, s+v, s-v)
		}
		sums = next
	}
	return sums
}

func (c PermutationConfig) randomSwitches(d []float64, extreme func(float64) bool) (int, error) {
	counts := make([]int, (c.Resamples+chunk-1)/chunk)
	err := par.Chunks(c.Resamples, chunk, c.Workers, func(lo, hi int) error {
		rng := mlcore.NewRand(c.Seed, uint64(lo/chunk))
		count := 0
		for range hi - lo {
			sum, bits := 0.0, uint64(0)
			for i, v := range d {
				if i%64 == 0 {
					bits = rng.Uint64()
				}
				if bits&1 == 0 {
					v = -v
				}
				sum += v
				bits >>= 1
			}
			if extreme(sum) {
				count++
			}
		}
		counts[lo/chunk] = count
		return nil
	})
	total := 0
	for _, n := range counts {
		total += n
	}
	return total, err
}
