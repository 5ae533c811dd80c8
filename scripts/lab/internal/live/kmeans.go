package live

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// kmeansFigure shows k-means as its notebook builds it: which centre is nearest everywhere,
// and in Centres where the means of the clusters lie, to which the next step moves. A
// cluster without rows keeps its centre.
func kmeansFigure(r Request) (*Answer, error) {
	X, err := r.matrix()
	if err != nil {
		return nil, err
	}
	centres := r.Settings.Centres
	switch {
	case len(centres) == 0 || len(centres) > 10:
		return nil, fmt.Errorf("%w: %d centres; there are from 1 to 10", mlcore.ErrConfig, len(centres))
	case !finite(centres):
		return nil, fmt.Errorf("%w: a centre", mlcore.ErrNonFinite)
	}
	a := &Answer{Map: digits(nearest(r.cells(), centres)), Labels: nearest(X, centres)}
	sums, counts, inertia := make([][2]float64, len(centres)), make([]float64, len(centres)), 0.0
	for i, label := range a.Labels {
		row := X.RawRowView(i)
		sums[label][0] += row[0]
		sums[label][1] += row[1]
		counts[label]++
		inertia += math.Pow(floats.Distance(row, centres[label][:], 2), 2)
	}
	a.Done = true
	for c, n := range counts {
		to := centres[c]
		if n > 0 {
			to = [2]float64{sums[c][0] / n, sums[c][1] / n}
		}
		a.Done = a.Done && to == centres[c]
		a.Centres = append(a.Centres, to)
	}
	a.fact("inertia", fmt.Sprintf("%.1f", inertia))
	return a, nil
}

// nearest is the nearest centre of each row, the lowest on a tie.
func nearest(X *mat.Dense, centres [][2]float64) []int {
	n, _ := X.Dims()
	labels := make([]int, n)
	for i := range labels {
		least := math.Inf(1)
		for c := range centres {
			if d := floats.Distance(X.RawRowView(i), centres[c][:], 2); d < least {
				labels[i], least = c, d
			}
		}
	}
	return labels
}
