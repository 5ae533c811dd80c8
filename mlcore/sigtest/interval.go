package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Interval is a confidence interval: over many samples, a share Level of such
// intervals holds the true value.
type Interval struct {
	// Method names the construction.
	Method string
	// Estimate is the value measured on the sample.
	Estimate float64
	// Lower and Upper are the ends.
	Lower, Upper float64
	// Level is the coverage aimed at, such as 0.95.
	Level float64
	// N is the number of examples.
	N int
}

// String returns the interval on one line.
func (i Interval) String() string {
	return fmt.Sprintf("%.4g [%.4g, %.4g] (%g%% %s, n = %d)", i.Estimate, i.Lower, i.Upper, 100*i.Level, i.Method, i.N)
}

func checkLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%w: level %v; a coverage lies between 0 and 1, such as 0.95", mlcore.ErrConfig, level)
	}
	return nil
}

func checkMistakes(mistakes, n int) error {
	if n <= 0 {
		return fmt.Errorf("%w: %d examples", mlcore.ErrEmpty, n)
	}
	if mistakes < 0 || mistakes > n {
		return fmt.Errorf("%w: %d mistakes in %d examples", mlcore.ErrConfig, mistakes, n)
	}
	return nil
}

// NormalInterval returns e ± z sqrt(e(1-e)/n), cut to [0, 1], for an error rate e
// measured on n examples. It rests on the normal approximation: n should be 30 or
// more; at e = 0 or 1 it shrinks to a point, where [WilsonInterval] and
// [ExactInterval] still have a sensible width.
func NormalInterval(errorRate float64, n int, level float64) (Interval, error) {
	if n <= 0 {
		return Interval{}, fmt.Errorf("%w: %d examples", mlcore.ErrEmpty, n)
	}
	if errorRate-errorRate != 0 {
		return Interval{}, fmt.Errorf("%w: error rate %v", mlcore.ErrNonFinite, errorRate)
	}
	if errorRate < 0 || errorRate > 1 {
		return Interval{}, fmt.Errorf("%w: error rate %v is not in [0, 1]", mlcore.ErrConfig, errorRate)
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	half := float64(normalQuantileOfLevel(level) * math.Sqrt(errorRate*(1-errorRate)/float64(n)))
	return Interval{"normal approximation", errorRate, max(0, errorRate-half), min(1, errorRate+half), level, n}, nil
}

// WilsonInterval returns Wilson's score interval, without continuity correction,
// for the error rate behind mistakes in n examples.
func WilsonInterval(mistakes, n int, level float64) (Interval, error) {
	if err := checkMistakes(mistakes, n); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	N, z := float64(n), normalQuantileOfLevel(level)
	e := float64(mistakes) / N
	z2 := float64(z*z) / N
	centre := (e + float64(z2/2)) / (1 + z2)
	half := z * math.Sqrt((float64(e*(1-e))+float64(z2/4))/N) / (1 + z2)
	out := Interval{"Wilson score", e, max(0, centre-half), min(1, centre+half), level, n}
	// The ends are 0 and 1 by algebra there; rounding must not leave 1e-17.
	if mistakes == 0 {
		out.Lower = 0
	}
	if mistakes == n {
		out.Upper = 1
	}
	return out, nil
}

// ExactInterval returns the interval of Clopper and Pearson for the error rate
// behind mistakes in n examples: the two rates at which the given number of
// mistakes or more, and that number or fewer, have probability (1-level)/2. n is at most
// 2^40.
func ExactInterval(mistakes, n int, level float64) (Interval, error) {
	if err := checkMistakes(mistakes, n); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	if int64(n) > largestBeta {
		return Interval{}, fmt.Errorf("%w: %d examples; at most 2^40, and WilsonInterval takes any number", mlcore.ErrConfig, n)
	}
	k, N, tail := float64(mistakes), float64(n), float64((1-level)/2)
	out := Interval{"Clopper-Pearson", k / N, 0, 1, level, n}
	if mistakes > 0 {
		out.Lower, _ = betaLower(k, N-k+1, tail)
	}
	if mistakes < n {
		out.Upper, _ = betaUpper(k+1, N-k, tail)
	}
	return out, nil
}
