package co395

import (
	"math"
	"slices"
	"testing"
)

// By hand: h = 0.125/0.25 is 0.5, whose tanh has the slope 0.75, and p = 0.25 + y is
// 0.25, so that p(1-p) is 0.1875.
func TestSuspects(t *testing.T) {
	right := func(x []float64, y float64, n Net) Net {
		return Net{W: [][]float64{{3, 6}}, B: []float64{3}, V: []float64{0.125}, C: 0.25}
	}
	want := [][]float64{
		{4, 8, 4, 0.125, 0.25},
		{0.5625, 1.125, 0.5625, 0.0234375, 0.046875},
		{3, 3, 3, 0.125, 0.25},
	}
	for i, suspect := range Suspects(right) {
		if got := suspect(nil, 0, Net{}).Flat(); !slices.Equal(got, want[i]) {
			t.Errorf("suspect %d gives %v, want %v", i, got, want[i])
		}
	}
}

// A neuron at the end of its tanh, and an output without an error: nothing to divide by.
func TestSuspectsAtTheEnds(t *testing.T) {
	for _, c := range []float64{0, 0.5} {
		right := func(x []float64, y float64, n Net) Net {
			return Net{W: [][]float64{{0}}, B: []float64{0}, V: []float64{c}, C: c}
		}
		for i, suspect := range Suspects(right) {
			if got := suspect(nil, 0, Net{}).Flat(); slices.ContainsFunc(got, math.IsNaN) {
				t.Errorf("error %v: suspect %d gives %v", c, i, got)
			}
		}
	}
}

func TestNetNames(t *testing.T) {
	n := Net{W: [][]float64{{1, 2}, {3, 4}}, B: []float64{5, 6}, V: []float64{7, 8}, C: 9}
	want := []string{"W[0][0]", "W[0][1]", "W[1][0]", "W[1][1]", "B[0]", "B[1]", "V[0]", "V[1]", "C"}
	if got := n.Names(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// By hand: each number less half of its slope; the net itself stays.
func TestNetStep(t *testing.T) {
	n := Net{W: [][]float64{{1, 2}}, B: []float64{3}, V: []float64{4}, C: 5}
	g := Net{W: [][]float64{{2, 4}}, B: []float64{-2}, V: []float64{0}, C: 10}
	if got := n.Step(g, 0.5).Flat(); !slices.Equal(got, []float64{0, 0, 4, 4, 0}) {
		t.Errorf("%v", got)
	}
	if !slices.Equal(n.Flat(), []float64{1, 2, 3, 4, 5}) {
		t.Errorf("the net itself is now %v", n.Flat())
	}
}
