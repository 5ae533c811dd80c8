package cits5508

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// Every end of a line has to be on the line, and outside of the drawing.
func TestLinesOfTheStreet(t *testing.T) {
	for _, c := range []struct {
		w     []float64
		b     float64
		level float64
	}{
		{[]float64{1, 2}, -3, 0}, {[]float64{1, 2}, -3, 1}, {[]float64{0, 4}, 2, -1}, {[]float64{-5, 0}, 2, 1},
	} {
		ends := Street{W: c.w, B: c.b}.line(c.level, 100)
		for _, p := range ends {
			if f := c.w[0]*p.X + c.w[1]*p.Y + c.b; math.Abs(f-c.level) > 1e-9 {
				t.Errorf("w %v, b %v: w·x + b is %v at an end, want %v", c.w, c.b, f, c.level)
			}
			if far := math.Hypot(p.X, p.Y); far < 100 {
				t.Errorf("w %v, b %v: an end is %v from the origin, want 100 at least", c.w, c.b, far)
			}
		}
	}
}

// A line across the street must not widen the axes beyond the samples.
func TestStreetKeepsTheAxes(t *testing.T) {
	ds := datasets.MakeClouds(20, 1, 0)
	plain, err := plotx.Scatter(ds, "")
	if err != nil {
		t.Fatal(err)
	}
	p := Street{Data: ds, W: []float64{1, 1e-6}, B: 0, Marked: []int{3}, Mark: "violation"}.Panel()
	if p.X.Min != plain.X.Min || p.X.Max != plain.X.Max || p.Y.Min != plain.Y.Min || p.Y.Max != plain.Y.Max {
		t.Errorf("axes %v to %v and %v to %v, want those of the samples", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	if n := len(p.Keys) - len(plain.Keys); n != 3 {
		t.Errorf("%d keys more than the classes, want 3: edges, boundary, violation", n)
	}
	if _, err := plotx.PNG(p); err != nil {
		t.Error(err)
	}
	// w = 0 has no street, and still a drawing.
	if p := (Street{Data: ds, W: []float64{0, 0}}).Panel(); len(p.Keys) != len(plain.Keys) {
		t.Errorf("%d keys without a street, want %d", len(p.Keys), len(plain.Keys))
	}
}
