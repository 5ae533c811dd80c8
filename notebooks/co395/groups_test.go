package co395

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// The middle of three round groups and of a square, five standard errors wide.
func TestThreeGroupsAndSquare(t *testing.T) {
	for _, tc := range []struct {
		name   string
		X      *mat.Dense
		n      int
		want   [2]float64
		within float64
	}{
		{"three groups", ThreeGroups(0.6, 1), 150, [2]float64{2.5, 4.0 / 3}, 0.25},
		{"square", Square(1000, 1), 1000, [2]float64{0.5, 0.5}, 0.05},
	} {
		n, _ := tc.X.Dims()
		for j, want := range tc.want {
			if mean := stat.Mean(mat.Col(nil, j, tc.X), nil); n != tc.n || math.Abs(mean-want) > tc.within {
				t.Errorf("%s: %d points, mean %.3f in column %d, want %.3f", tc.name, n, mean, j, want)
			}
		}
	}
}
