package co395

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/evolve"
)

// climber moves one coordinate, or all of them, and keeps the better point.
func climber(all bool) Climber {
	return func(f func(x []float64) float64, b evolve.Reals, n int, sigma float64,
		rng *rand.Rand) float64 {
		x := b.Random(rng)
		value := f(x)
		for range n - 1 {
			child, one := slices.Clone(x), rng.IntN(len(x))
			for j := range child {
				if all || j == one {
					child[j] = max(b.Lower[j], min(b.Upper[j], child[j]+sigma*rng.NormFloat64()))
				}
			}
			if v := f(child); v <= value {
				x, value = child, v
			}
		}
		return value
	}
}

// drifting moves the first coordinate by the same step, wherever that leads.
func drifting(by float64) Climber {
	return func(f func(x []float64) float64, b evolve.Reals, n int, _ float64, rng *rand.Rand) float64 {
		x := b.Random(rng)
		value := f(x)
		for range n - 1 {
			x = slices.Clone(x)
			x[0] += by
			value = min(value, f(x))
		}
		return value
	}
}

func TestClimber(t *testing.T) {
	c := climber(false)
	want := Steps{Evaluations: 100, Coordinates: 1, Repeated: true, Lowest: -100}
	if got := c.Falling(100, 0.1); got != want {
		t.Errorf("falling: %+v, want %+v", got, want)
	}
	if got := climber(true).Falling(100, 0.1); got.Coordinates != 3 {
		t.Errorf("all coordinates: %+v", got)
	}
	if v := c.Rising(); v != 5 {
		t.Errorf("rising: %v, want 5", v)
	}
	if v := c.Bowl(2000); v > 1e-3 {
		t.Errorf("bowl: %v, want 0", v)
	}
	if v := c.Corner(200, 50); v != 0 {
		t.Errorf("corner: %v, want 0", v)
	}
	if !c.Wanders(400, 0.3) || c.Wanders(2, 0.3) {
		t.Error("400 steps on a plain lead far, and one step does not")
	}
	if !c.NormalSteps(1000, 0.001) || c.NormalSteps(2, 0.001) {
		t.Error("one of 1000 normal steps is long, and a single one is not")
	}
	// By hand: 1, 3 and 10 times sigma; only the second is what the longest of many should be.
	for by, want := range map[float64]bool{0.001: false, 0.003: true, 0.01: false} {
		if got := drifting(by).NormalSteps(100, 0.001); got != want {
			t.Errorf("steps of %v are normal: %t, want %t", by, got, want)
		}
	}
	for _, by := range []float64{-10, 10} {
		if !drifting(by).Falling(3, 1).Outside {
			t.Errorf("%v from within the box leads out of it", by)
		}
	}
	if same := c.Chance(); !slices.Equal(same, []bool{true, true, false, false}) {
		t.Errorf("chance: %v", same)
	}
}
