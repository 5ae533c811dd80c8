package ensemble

import (
	"math"
	"math/rand/v2"
)

// Sampling is how the rows of each tree are drawn.
type Sampling int

const (
	// Default is WithReplacement in a [ForestConfig], AllRows in an
	// [ExtraTreesConfig].
	Default Sampling = iota
	// WithReplacement draws a bootstrap sample.
	WithReplacement
	// WithoutReplacement draws a subset.
	WithoutReplacement
	// AllRows takes every row once.
	AllRows
)

// readySampling fills in defaults, or says what is out of range.
func readySampling(s *Sampling, share *float64) error {
	if *share == 0 {
		*share = 1
	}
	if *s == Default {
		*s = WithReplacement
	}
	if *s < WithReplacement || *s > AllRows {
		return configError("no such Sampling: %d", int(*s))
	}
	if !(*share > 0 && *share <= 1) {
		return configError("Subsample is %v; it is a share above 0 and up to 1", *share)
	}
	if *s == AllRows && *share != 1 {
		return configError("Subsample is %v, but Sampling is AllRows; choose WithoutReplacement", *share)
	}
	return nil
}

// draw fills copies with how often each row is drawn. It reports false where
// that is once for all.
func draw(rng *rand.Rand, s Sampling, share float64, copies []int32) bool {
	n := len(copies)
	m := max(1, int(math.Round(share*float64(n))))
	switch s {
	case WithReplacement:
		clear(copies)
		for range m {
			copies[rng.Uint32N(uint32(n))]++
		}
		return true
	case WithoutReplacement:
		// Selection sampling (Knuth, volume 2, algorithm S).
		for i := range copies {
			copies[i] = 0
			if rng.IntN(n-i) < m {
				copies[i] = 1
				m--
			}
		}
		return true
	}
	return false
}

// choose returns k of 0..n-1, ascending.
func choose(rng *rand.Rand, n, k int) []int {
	chosen := make([]int, 0, k)
	for i := range n {
		if rng.IntN(n-i) < k-len(chosen) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}
