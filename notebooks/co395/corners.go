package co395

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// MakeCorners draws n points uniformly on [-1, 1)². Class 1 is the lower left and the
// upper right quarter: neither feature alone tells anything (exclusive or).
func MakeCorners(n int, seed uint64) *mlcore.Dataset {
	rng, X, y := mlcore.NewRand(seed), mat.NewDense(n, 2, nil), make([]int, n)
	for i := range y {
		a, b := 2*rng.Float64()-1, 2*rng.Float64()-1
		X.SetRow(i, []float64{a, b})
		if (a < 0) == (b < 0) {
			y[i] = 1
		}
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Name = "Corners"
	return ds
}
