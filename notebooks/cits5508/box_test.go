package cits5508

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

func TestDrawBoxesKeepsTheAxes(t *testing.T) {
	ds, inf := datasets.MakeClouds(20, 1, 0), math.Inf(1)
	plain, err := plotx.Scatter(ds, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		boxes []Box
	}{
		{"none", nil},
		{"the whole plane", []Box{{0, 1, []float64{-inf, -inf}, []float64{inf, inf}}}},
		{"two halves", []Box{{1, 0, []float64{-inf, -inf}, []float64{0, inf}}, {2, 1, []float64{0, -inf}, []float64{inf, inf}}}},
		{"out of sight", []Box{{7, 0, []float64{100, -inf}, []float64{inf, inf}}}},
	} {
		p := DrawBoxes(ds, c.boxes, "")
		if p.X.Min != plain.X.Min || p.X.Max != plain.X.Max || p.Y.Min != plain.Y.Min || p.Y.Max != plain.Y.Max {
			t.Errorf("%s: axes %v to %v and %v to %v, want those of the samples", c.name, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
		}
		if _, err := plotx.PNG(p); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// By hand: of four samples three stand in corners of the unit square.
func TestEmptiestCorner(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{0, 1, 1, 1, 0.02, 0.01, 0.5, 0.5})
	ds := mlcore.FromMatrix(X, []int{0, 1, 0, 1}, nil)
	if c := emptiest(ds, 0, 1, 0, 1, [2]float64{1, 1}); !c.right || c.top {
		t.Errorf("corner %+v, want the lower right one", c)
	}
}
