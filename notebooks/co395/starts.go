package co395

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// StartPanels are histograms of the inertia in the end, from random rows and from
// k-means++, with the same bins and axes. It panics on an error, as a cell would.
func StartPanels(random, plusPlus []float64) []plotx.Figure {
	which := make([]int, len(random)+len(plusPlus))
	for i := range plusPlus {
		which[len(random)+i] = 1
	}
	panels, err := plotx.Histograms("inertia in the end", slices.Concat(random, plusPlus), which,
		[]string{"random rows", "k-means++"}, 30)
	if err != nil {
		panic(fmt.Errorf("co395: histograms of starts: %w", err))
	}
	for _, p := range panels {
		p.(*plotx.Panel).Y.Label.Text = "starts"
	}
	return panels
}
