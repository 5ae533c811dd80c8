package co395

import (
	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

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
