package co395

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
)

// IntervalPanel draws intervals side by side, those that contain the truth and those that
// miss it, and says how many miss. It panics on an error, as a cell would.
func IntervalPanel(lower, upper []float64, truth float64) (p *plotx.Panel, missed int) {
	series := []plotx.Series{{Name: "contains it"}, {Name: "misses it"}}
	for i := range lower {
		s := &series[0]
		if truth < lower[i] || truth > upper[i] {
			s = &series[1]
			missed++
		}
		s.Dots, s.NoLine = true, true
		s.X = append(s.X, float64(i+1))
		s.Y = append(s.Y, (lower[i]+upper[i])/2)
		s.Err = append(s.Err, (upper[i]-lower[i])/2)
	}
	if missed == 0 {
		series = series[:1]
	} else if missed == len(lower) {
		series = series[1:]
	}
	p, err := plotx.Lines("", "test set", "95 % interval", series...)
	if err != nil {
		panic(fmt.Errorf("co395: intervals: %w", err))
	}
	p.Rules = []plotx.Rule{{At: truth, Name: "true error"}}
	n := float64(len(lower))
	return p.ClipX(-0.5, n+1.5).ClipY(-0.01, floats.Max(upper)*1.05).Resize(7, 3.4), missed
}
