package lab3

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Grid returns the n×n points of a square grid over the plane as rows, row by row
// from below. Both coordinates run from lo to hi in equal steps; n is 2 at least.
func Grid(lo, hi float64, n int) *mat.Dense {
	steps := floats.Span(make([]float64, n), lo, hi)
	points := mat.NewDense(n*n, 2, nil)
	for i := range n * n {
		points.SetRow(i, []float64{steps[i%n], steps[i/n]})
	}
	return points
}
