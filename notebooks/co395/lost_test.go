package co395

import (
	"math"
	"testing"
)

// The distances of the samples of LostSample from its question, by hand: the roots of
// 0.81 + 0.25, 0.64 + 0.36, 0.25 + 0.49, 0.36 + 0.36, 0.01 + 1.21, 1.44 + 0.04 and
// 0.01 + 0.09; the other three are more than 2.6 away.
func TestLostSample(t *testing.T) {
	ds, q, figure := LostSample()
	if err := ds.Validate(); err != nil {
		t.Fatal(err)
	}
	squares := []float64{1.06, 1, 0.74, 0.72, 1.22, 1.48, 0.1}
	for i := range ds.Len() {
		d := math.Hypot(ds.X.At(i, 0)-q.At(0, 0), ds.X.At(i, 1)-q.At(0, 1))
		if i >= len(squares) {
			if d < 2.6 {
				t.Errorf("sample %d is %.2f away", i, d)
			}
		} else if math.Abs(d*d-squares[i]) > 1e-12 {
			t.Errorf("sample %d: squared distance %g, want %g", i, d*d, squares[i])
		}
		if want := map[bool]int{true: 1}[i > 5]; ds.Y[i] != want {
			t.Errorf("sample %d: class %d, want %d", i, ds.Y[i], want)
		}
	}
	if figure.X.Min != -1.5 || figure.X.Max != 3.6 {
		t.Errorf("the figure is from %v to %v", figure.X.Min, figure.X.Max)
	}
}

// The distances and classes of its comment.
func TestThreeNeighbours(t *testing.T) {
	ds := three()
	for i, want := range []float64{0.5, 1, 1.2} {
		if d := math.Hypot(ds.X.At(i, 0), ds.X.At(i, 1)); math.Abs(d-want) > 1e-12 || ds.Y[i] != []int{1, 0, 0}[i] {
			t.Errorf("sample %d of class %d is %v away", i, ds.Y[i], d)
		}
	}
	if p := ThreeNeighbours(); !p.Square {
		t.Error("the axes have different units")
	}
}
