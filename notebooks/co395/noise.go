package co395

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// WithNoiseFeatures returns ds with more columns: standard normal numbers that know
// nothing of the labels.
func WithNoiseFeatures(ds *mlcore.Dataset, columns int, seed uint64) *mlcore.Dataset {
	if columns == 0 {
		return ds
	}
	rng, noise := mlcore.NewRand(seed), mat.NewDense(ds.Len(), columns, nil)
	noise.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, noise)
	noisy, X := *ds, new(mat.Dense)
	X.Augment(ds.X, noise)
	noisy.X, noisy.Columns = X, slices.Clone(ds.Columns)
	for range columns {
		noisy.Columns = append(noisy.Columns, mlcore.Column{Name: "noise"})
	}
	return &noisy
}

// withWrongLabels returns ds with the labels of a share of the rows, drawn at random,
// replaced by another class.
func withWrongLabels(ds *mlcore.Dataset, share float64, seed uint64) *mlcore.Dataset {
	rng, wrong := mlcore.NewRand(seed), *ds
	wrong.Y = slices.Clone(ds.Y)
	for _, i := range rng.Perm(ds.Len())[:int(share*float64(ds.Len())+0.5)] {
		wrong.Y[i] = (ds.Y[i] + 1 + rng.IntN(ds.NumClasses()-1)) % ds.NumClasses()
	}
	return &wrong
}
