package lab3

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/floats"
)

// ChordPanel draws an impurity of two classes over the proportion p of class 1, and
// what a cut does to it: a set of proportion at becomes two of the proportions below
// and above. Their mean impurity is the point of the chord over at; an arrow leads
// there from the curve, and its length is the gain, which stands in the title.
func ChordPanel(title string, impurity func(p float64) float64, below, at, above float64) (*plotx.Panel, error) {
	share := (at - below) / (above - below)
	after := (1-share)*impurity(below) + share*impurity(above)
	curve := assess.Curve("impurity of a set", floats.Span(make([]float64, 101), 0, 1), impurity)
	chord := plotx.Series{Name: "the two parts, and their mean", Dashed: true, Dots: true,
		X: []float64{below, at, above}, Y: []float64{impurity(below), after, impurity(above)}}
	p, err := plotx.Lines(fmt.Sprintf("%s: gain %.2f", title, impurity(at)-after), "proportion of class 1",
		"impurity", curve, chord)
	if err != nil {
		return nil, err
	}
	p.Arrows = []plotx.Arrow{{X: at, From: impurity(at), To: after}}
	return p.ClipX(-0.03, 1.03).ClipY(-0.02, 0.54), nil
}
