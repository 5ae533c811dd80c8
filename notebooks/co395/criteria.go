package co395

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
)

// CriterionPanels draws three criteria against the number of clusters, 1, 2, 3 and so
// on: the inertia, the silhouette with its highest value marked, and the BIC with its
// lowest. The silhouette of one cluster is not looked at. It panics on an error, as a
// cell would.
func CriterionPanels(name string, inertia, silhouette, bic []float64) (panels []plotx.Figure) {
	ks := floats.Span(make([]float64, len(bic)), 1, float64(len(bic)))
	for _, c := range []struct {
		label string
		s     plotx.Series
	}{
		{"inertia", plotx.Series{X: ks, Y: inertia}},
		{"silhouette", plotx.Series{X: ks[1:], Y: silhouette[1:], Marks: []int{floats.MaxIdx(silhouette[1:])}}},
		{"BIC", plotx.Series{X: ks, Y: bic, Marks: plotx.Lowest(bic)}},
	} {
		c.s.Dots = true
		p, err := plotx.Lines(name, "K", c.label, c.s)
		if err != nil {
			panic(fmt.Errorf("co395: %s of %s: %w", c.label, name, err))
		}
		panels = append(panels, p)
	}
	return panels
}

// PlusMinus is the mean of independent values and its standard error, "0.82 ± 0.09".
func PlusMinus(values []float64) string {
	mean, se := MeanSE(values)
	return fmt.Sprintf("%.2f ± %.2f", Rounded(mean, 2)+0, se) // +0: never "-0.00"
}
