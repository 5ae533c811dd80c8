package co395

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

func TestStartPanels(t *testing.T) {
	panels := StartPanels([]float64{1, 2, 3}, []float64{1, 1})
	if len(panels) != 2 || panels[1].(*plotx.Panel).Y.Label.Text != "starts" {
		t.Errorf("%d panels", len(panels))
	}
}
