package ada511

import (
	"bytes"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// A box that reaches beyond the axes is drawn as far as it can be seen; one outside
// of them is not drawn.
func TestOutline(t *testing.T) {
	picture := func(boxes ...Box) []byte {
		p, err := plotx.Scatter(datasets.MakeClouds(20, 1, 1), "")
		if err != nil {
			t.Fatal(err)
		}
		png, err := plotx.PNG(Outline(p, boxes))
		if err != nil {
			t.Fatal(err)
		}
		return png
	}
	inf := math.Inf(1)
	large := Box{Low: [2]float64{-inf, -inf}, High: [2]float64{inf, inf}, Counts: []float64{3, 4}}
	far := Box{Low: [2]float64{90, 90}, High: [2]float64{91, 91}, Counts: []float64{1}}
	if bytes.Equal(picture(), picture(large)) {
		t.Error("the plane's box has not been drawn")
	}
	if !bytes.Equal(picture(), picture(far)) {
		t.Error("a box outside of the axes has been drawn")
	}
}
