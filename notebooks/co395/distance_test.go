package co395

import (
	"math"
	"testing"
)

// The points at distance 1 by the L1 norm lie on |x| + |y| = 1.
func TestBall(t *testing.T) {
	ball := Ball("L1", func(x []float64) float64 { return math.Abs(x[0]) + math.Abs(x[1]) })
	for i := range ball.X {
		if d := math.Abs(ball.X[i]) + math.Abs(ball.Y[i]); math.Abs(d-1) > 1e-12 {
			t.Errorf("point %d at distance %v", i, d)
		}
	}
}

// ∫ of a density is 1, and the densities' values are those of the formulas.
func TestDensities(t *testing.T) {
	for _, tc := range []struct {
		name    string
		f       func(float64) float64
		x, want float64
	}{
		{"normal at 0", Normal(1), 0, 0.3989422804014327},
		{"normal at sd", Normal(2), 2, 0.24197072451914337 / 2},
	} {
		if got := tc.f(tc.x); math.Abs(got-tc.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}
