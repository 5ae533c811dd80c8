package cits5508

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// By hand: two samples at -1 and 1 have the widest street between them, w = 1 and b = 0.
func TestFitStreet(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{-1, 1, 4, -3}), []int{0, 1, 1, 0}, nil)
	s := FitStreet(ds, 1000)
	if math.Abs(s.W[0]-1) > 1e-3 || math.Abs(s.B) > 1e-3 || !slices.Equal(s.Support, []int{0, 1}) {
		t.Errorf("w %v, b %v, support %v; want 1, 0 and the rows 0 and 1", s.W, s.B, s.Support)
	}
	if got := s.Width(); math.Abs(got-2) > 1e-2 {
		t.Errorf("width %v, want 2", got)
	}
	by := Street{W: []float64{3, 4}, B: -3}
	if by.Decision([]float64{1, .5}) != 2 || math.Abs(by.Width()-.4) > 1e-12 || !math.IsInf(Street{W: []float64{0}}.Width(), 1) {
		t.Errorf("by hand: decision value %v, width %v", by.Decision([]float64{1, .5}), by.Width())
	}
}

// Points on y = 2x, x from 0 to 4, and the flattest line within 1 of all of them, which climbs
// from 1 to 7.
func TestTube(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(3, 1, []float64{0, 2, 4}), []float64{0, 4, 8}, nil)
	tube := Tube{Data: ds, W: 1.5, B: 1, Epsilon: 1}
	if got, want := tube.Predicted(), []float64{1, 4, 7}; !slices.Equal(got, want) {
		t.Errorf("predicted %v, want %v", got, want)
	}
	p := tube.Panel([]int{1})
	if n := len(p.Keys); n != 4 {
		t.Errorf("%d keys, want 4: samples inside and outside, edges, line", n)
	}
	if _, err := plotx.PNG(p); err != nil {
		t.Error(err)
	}
}
