package co395

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// MakeUnequal draws n points of three classes of unequal size. Eight in ten belong to
// a wide cloud around the origin with standard deviation 1.5, one in ten to each of two
// narrow ones with standard deviation 0.3, around (5, 1.5) and (5, -1.5).
func MakeUnequal(n int, seed uint64) *mlcore.Dataset {
	rng, X, y := mlcore.NewRand(seed), mat.NewDense(n, 2, nil), make([]int, n)
	clouds := []struct{ x, y, sd float64 }{{0, 0, 1.5}, {5, 1.5, 0.3}, {5, -1.5, 0.3}}
	for i := range y {
		y[i] = max(0, i%10-7) // classes 0 eight times, 1, 2
		c := clouds[y[i]]
		X.Set(i, 0, c.x+float64(c.sd*rng.NormFloat64()))
		X.Set(i, 1, c.y+float64(c.sd*rng.NormFloat64()))
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Name = "Unequal"
	return ds
}
