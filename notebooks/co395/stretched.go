package co395

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// MakeStretched draws n points of two classes. Each class is a normal cloud, long and
// thin: its standard deviation is 4 along a line at 30 degrees and 0.4 across it. The
// centres are 1.6 apart, across the line. The classes alternate.
func MakeStretched(n int, seed uint64) *mlcore.Dataset {
	rng, X, y := mlcore.NewRand(seed), mat.NewDense(n, 2, nil), make([]int, n)
	sin, cos := math.Sincos(math.Pi / 6)
	for i := range y {
		y[i] = i % 2
		along := 4 * rng.NormFloat64()
		across := float64(0.4*rng.NormFloat64()) + float64(1.6*(float64(y[i])-0.5))
		X.Set(i, 0, float64(cos*along)-float64(sin*across))
		X.Set(i, 1, float64(sin*along)+float64(cos*across))
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Name = "Stretched"
	return ds
}

// withinCovariance is the covariance matrix of the features within the classes: every
// sample is compared with the mean of its own class.
func withinCovariance(ds *mlcore.Dataset) *mat.SymDense {
	d := ds.NumFeatures()
	within, rest := mat.NewSymDense(d, nil), float64(ds.Len()-ds.NumClasses())
	for c, count := range ds.ClassCounts() {
		if count < 2 {
			continue
		}
		var rows []int
		for i, label := range ds.Y {
			if label == c {
				rows = append(rows, i)
			}
		}
		var own mat.SymDense
		stat.CovarianceMatrix(&own, ds.Subset(rows).X, nil)
		own.ScaleSym(float64(count-1)/rest, &own)
		within.AddSym(within, &own)
	}
	return within
}
