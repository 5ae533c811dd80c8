package sigtest

import (
	"math"
	"testing"
)

// What the secant method leaves to bisection ends where bisection alone does, with fewer
// evaluations: for the studentised range of any size and probability.
func TestRootOfSmooth(t *testing.T) {
	for _, k := range []int{2, 3, 10, 100, 10000} {
		d := newStudentizedRange(k)
		for _, p := range []float64{1e-300, 1e-12, 1e-3, 0.2, 0.5, 0.9, 0.95, 0.99, 0.999, 1 - 1e-6, 1 - 1e-9} {
			count := 0
			f := func(q float64) float64 { count++; return d.below(q) - p }
			want := root(0, 16, f)
			alone := count
			count = 0
			if got := rootOfSmooth(0, 16, 1e-13, f); got != want {
				t.Errorf("k %d, p %v: %v, by bisection %v", k, p, got, want)
			}
			if p > 0.01 && p < 0.9999 && count > alone*3/4 {
				t.Errorf("k %d, p %v: %d evaluations, bisection takes %d", k, p, count, alone)
			}
		}
	}
	for _, f := range []func(x float64) float64{
		func(x float64) float64 { return x - 0.3 },
		func(x float64) float64 { return math.Expm1(x - 2) },
		func(float64) float64 { return -1 },
		func(float64) float64 { return 1 },
		func(x float64) float64 { return math.Cbrt(x - 1) },
	} {
		if got, want := rootOfSmooth(0, 16, 1e-13, f), root(0, 16, f); got != want {
			t.Errorf("%v, by bisection %v", got, want)
		}
	}
}
