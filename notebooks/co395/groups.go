package co395

import (
	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// NineGroups is 30 points of each of nine round groups on a square grid, 4 apart, with
// standard deviation 0.5.
func NineGroups() *mat.Dense {
	centres := mat.NewDense(9, 2, nil)
	for c := range 9 {
		centres.SetRow(c, []float64{4 * float64(c%3), 4 * float64(c/3)})
	}
	return datasets.MakeBlobs(270, centres, 0.5, 1).X
}

// RandomRows draws k different rows of X.
func RandomRows(X *mat.Dense, k int, seed uint64) *mat.Dense {
	n, _ := X.Dims()
	return Rows(X, mlcore.NewRand(seed).Perm(n)[:k]...)
}

// ThreeGroups is 50 points of each of three round groups, about 5 apart, with the given
// standard deviation.
func ThreeGroups(sd float64, seed uint64) *mat.Dense {
	centres := mat.NewDense(3, 2, []float64{0, 0, 5, 0, 2.5, 4})
	return datasets.MakeBlobs(150, centres, sd, seed).X
}

// Square is n points spread evenly over a square: no groups at all.
func Square(n int, seed uint64) *mat.Dense {
	rng, X := mlcore.NewRand(seed), mat.NewDense(n, 2, nil)
	X.Apply(func(_, _ int, _ float64) float64 { return rng.Float64() }, X)
	return X
}
