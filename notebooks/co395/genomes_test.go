package co395

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

func TestBits(t *testing.T) {
	if g := Bits("0110"); !slices.Equal(g, []bool{false, true, true, false}) || Text(g) != "0110" {
		t.Errorf("%v, %s", g, Text(g))
	}
}

func TestOnes(t *testing.T) {
	population := Population("0110", "", "111")
	for i, want := range []float64{2, 0, 3} {
		if got := Ones(population[i]); got != want {
			t.Errorf("%g ones in genome %d, want %g", got, i, want)
		}
	}
}

// A turn changes no distance: that from the origin and between two points stay.
func TestTurned(t *testing.T) {
	norm := func(x []float64) float64 { return floats.Norm(x, 2) }
	x := []float64{3, -4, 12}
	if n := Turned(norm, 3, 1)(x); math.Abs(n-13) > 1e-12 || x[0] != 3 {
		t.Errorf("norm %v, want 13; %v", n, x)
	}
	first := func(x []float64) float64 { return x[0] }
	if v := Turned(first, 3, 1)([]float64{1, 0, 0}); math.Abs(v) > 0.999 {
		t.Errorf("the first axis has stayed: %v", v)
	}
}
