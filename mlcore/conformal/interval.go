package conformal

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// DefaultLevel is the level where none is given.
const DefaultLevel = 0.9

// An Interval holds the numbers from Lower to Upper, both included.
type Interval struct{ Lower, Upper float64 }

// Width is Upper less Lower.
func (i Interval) Width() float64 { return i.Upper - i.Lower }

// Contains reports whether y lies in the interval.
func (i Interval) Contains(y float64) bool { return i.Lower <= y && y <= i.Upper }

// Coverage returns the share of the targets y that lie in their intervals, one for each,
// from 0 to 1. The error wraps [mlcore.ErrEmpty] where there are none and
// [mlcore.ErrShape] where the lengths differ.
func Coverage(intervals []Interval, y []float64) (float64, error) {
	switch {
	case len(intervals) != len(y):
		return 0, fmt.Errorf("conformal: %w: %d intervals, %d targets", mlcore.ErrShape, len(intervals), len(y))
	case len(y) == 0:
		return 0, fmt.Errorf("conformal: %w: no intervals", mlcore.ErrEmpty)
	}
	inside := 0
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("conformal: %w: target %d is %v", mlcore.ErrNonFinite, i, v)
		}
		if intervals[i].Contains(v) {
			inside++
		}
	}
	return float64(inside) / float64(len(y)), nil
}

// Quantile returns the conformal quantile of n scores, such as absolute residuals: the
// ceil((n+1)·level)-th smallest of them. A further score that is exchangeable with them is
// at most that large with a probability of at least level. It is larger than the quantile
// of the scores themselves, since the further score counts as one of n+1.
//
// The level lies between 0 and 1. Few scores cannot hold a high level: where the rank is
// above n, only an infinite quantile would do, and the error wraps [mlcore.ErrConfig] and
// says how many scores are needed, level/(1-level) rounded up.
func Quantile(scores []float64, level float64) (float64, error) {
	r, err := rank(len(scores), level)
	if err != nil {
		return 0, err
	}
	if err := finite("score", scores); err != nil {
		return 0, err
	}
	return slices.Sorted(slices.Values(scores))[r-1], nil
}

// rank is ceil((n+1)·level), at most n.
func rank(n int, level float64) (int, error) {
	switch {
	case !(level > 0 && level < 1):
		return 0, configError("Level is %v; it lies between 0 and 1", level)
	case n == 0:
		return 0, fmt.Errorf("conformal: %w: no rows to calibrate with", mlcore.ErrEmpty)
	}
	r := ceil(float64(float64(n+1) * level))
	if r > float64(n) {
		return 0, configError("Level %v needs at least %.0f rows of calibration, there are %d", level, ceil(level/(1-level)), n)
	}
	return int(r), nil
}

// ceil rounds up what is not a whole number up to rounding: 25 times 0.56 is 14, and not a
// little more.
func ceil(x float64) float64 { return math.Ceil(x - float64(1e-12*x)) }

// finite refuses a NaN or an infinity.
func finite(what string, values []float64) error {
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("conformal: %w: %s %d is %v", mlcore.ErrNonFinite, what, i, v)
		}
	}
	return nil
}

func configError(format string, args ...any) error {
	return fmt.Errorf("conformal: %w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
}
