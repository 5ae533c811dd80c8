package cits5508

import (
	"math"
	"testing"
)

// With one row that calibrates and r = 1 the orders of m + 1 residuals are equally
// probable, so that every number of rows inside is, too. With n = 3 and r = 2 the six
// chances of m = 1 and m = 2 are counted by hand from the orders. Mean and variance are
// those of the beta-binomial distribution, by its formulas.
func TestCoverageChances(t *testing.T) {
	for _, tc := range []struct {
		n, m  int
		level float64
		want  []float64
	}{
		{1, 3, 0.5, []float64{0.25, 0.25, 0.25, 0.25}},
		{3, 1, 0.5, []float64{0.5, 0.5}},
		{3, 2, 0.5, []float64{0.3, 0.4, 0.3}},
		{9, 1, 0.9, []float64{0.1, 0.9}},
	} {
		for k, got := range CoverageChances(tc.n, tc.m, tc.level) {
			if math.Abs(got-tc.want[k]) > 1e-12 {
				t.Errorf("%d of %d inside, %d calibrate: %v, want %v", k, tc.m, tc.n, got, tc.want[k])
			}
		}
	}
	sum, mean, square := 0.0, 0.0, 0.0
	for k, p := range CoverageChances(66, 66, 0.9) {
		sum, mean, square = sum+p, mean+p*float64(k), square+p*float64(k*k)
	}
	a, b, m := 61.0, 6.0, 66.0
	if want := m * a / (a + b); math.Abs(sum-1) > 1e-10 || math.Abs(mean-want) > 1e-8 {
		t.Errorf("sum %v, mean %v, want 1 and %v", sum, mean, want)
	}
	want := m * a * b * (a + b + m) / ((a + b) * (a + b) * (a + b + 1))
	if got := square - mean*mean; math.Abs(got-want) > 1e-6 {
		t.Errorf("variance %v, want %v", got, want)
	}
}
