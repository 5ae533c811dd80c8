package co395

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
)

// ByClusters draws a criterion against the number of clusters, 1, 2, 3 and so on, with
// the value at best marked; -1 marks none. NaN is left out. It panics on an error, as a
// cell would.
func ByClusters(title, criterion string, values []float64, best int) *plotx.Panel {
	s := plotx.Series{Dots: true}
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if i == best {
			s.Marks = []int{len(s.X)}
		}
		s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, v)
	}
	p, err := plotx.Lines(title, "K", criterion, s)
	if err != nil {
		panic(fmt.Errorf("co395: %s of %s: %w", criterion, title, err))
	}
	lo, hi := floats.Min(s.Y), floats.Max(s.Y)
	if lo >= 0 && hi <= 1 {
		lo, hi = 0, 1 // shares and silhouettes are read from 0
	}
	margin := (hi - lo) / 20
	return p.ClipX(0.7, float64(len(values))+0.3).ClipY(lo-margin, hi+margin)
}

// PlusMinus is the mean of independent values and its standard error, "0.82 ± 0.09".
func PlusMinus(values []float64) string {
	mean, se := MeanSE(values)
	return fmt.Sprintf("%.2f ± %.2f", scalar.Round(mean, 2), se)
}
