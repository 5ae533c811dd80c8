package co395

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// NormalWeights are the values of the density of the standard normal distribution at the
// distances d: 0.3989 at 0, and less the larger the distance is.
func NormalWeights(d []float64) []float64 {
	weights := make([]float64, len(d))
	for i := range d {
		weights[i] = distuv.UnitNormal.Prob(d[i])
	}
	return weights
}

// Variances are the sample variances of the features of ds.
func Variances(ds *mlcore.Dataset) []float64 {
	v := make([]float64, ds.NumFeatures())
	for j := range v {
		v[j] = stat.Variance(mat.Col(nil, j, ds.X), nil)
	}
	return v
}

// MakeNoise draws n samples whose features, standard normal numbers, know nothing of the
// two classes, which alternate.
func MakeNoise(n, features int, seed uint64) *mlcore.Dataset {
	rng, X, y := mlcore.NewRand(seed), mat.NewDense(n, features, nil), make([]int, n)
	for i := range y {
		y[i] = i % 2
	}
	X.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, X)
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Name = "Noise"
	return ds
}
