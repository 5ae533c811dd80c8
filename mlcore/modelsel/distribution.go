package modelsel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// A Distribution is where [DrawFrom] draws a setting from: [Uniform], [LogUniform],
// [IntRange] or [Choice].
type Distribution[V any] struct {
	check func() error
	draw  func(rng *rand.Rand) V
}

// Uniform draws from [low, high), low < high.
func Uniform(low, high float64) Distribution[float64] {
	return Distribution[float64]{
		func() error {
			if !(low < high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
				return fmt.Errorf("%w: Uniform from %v to %v; finite, the lower first", mlcore.ErrConfig, low, high)
			}
			if math.IsInf(high-low, 0) {
				return fmt.Errorf("%w: Uniform from %v to %v: their difference overflows; choose them nearer to each other", mlcore.ErrConfig, low, high)
			}
			return nil
		},
		func(rng *rand.Rand) float64 {
			// The sum may round up to high.
			return min(low+float64(rng.Float64()*(high-low)), math.Nextafter(high, low))
		},
	}
}

// LogUniform draws numbers whose logarithm is uniform, 0 < low < high: each power
// of ten is as likely as another.
func LogUniform(low, high float64) Distribution[float64] {
	return Distribution[float64]{
		func() error {
			if !(low > 0 && low < high) || math.IsInf(high, 0) {
				return fmt.Errorf("%w: LogUniform from %v to %v; finite, above 0, the lower first", mlcore.ErrConfig, low, high)
			}
			return nil
		},
		func(rng *rand.Rand) float64 {
			a, b := elementary.Log(low), elementary.Log(high)
			v := elementary.Exp(a + float64(rng.Float64()*(b-a)))
			return min(max(v, low), high)
		},
	}
}

// IntRange draws whole numbers from low to high, both included.
func IntRange(low, high int) Distribution[int] {
	return Distribution[int]{
		func() error {
			if low > high {
				return fmt.Errorf("%w: IntRange from %d to %d; the lower first", mlcore.ErrConfig, low, high)
			}
			if high-low < 0 || high-low == math.MaxInt { // which counts one number less
				return fmt.Errorf("%w: IntRange from %d to %d: their difference overflows; choose them nearer to each other", mlcore.ErrConfig, low, high)
			}
			return nil
		},
		func(rng *rand.Rand) int { return low + rng.IntN(high-low+1) },
	}
}

// Choice draws one of the values, each as likely as another.
func Choice[V any](values ...V) Distribution[V] {
	return Distribution[V]{
		func() error {
			if len(values) == 0 {
				return fmt.Errorf("%w: Choice of no values", mlcore.ErrConfig)
			}
			return nil
		},
		func(rng *rand.Rand) V { return values[rng.IntN(len(values))] },
	}
}
