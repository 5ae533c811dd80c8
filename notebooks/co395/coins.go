package co395

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// MakeCoins draws n samples whose labels are tosses of a fair coin and whose features
// are standard normal numbers that know nothing of them: every classifier has a true
// error rate of one half.
func MakeCoins(n, features int, seed uint64) *mlcore.Dataset {
	rng, X, y := mlcore.NewRand(seed), mat.NewDense(n, features, nil), make([]int, n)
	X.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, X)
	for i := range y {
		y[i] = rng.IntN(2)
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Name, ds.ClassNames = "Coins", []string{"heads", "tails"}
	return ds
}

// MeanSE is the mean of values that are independent of each other, and its standard
// error.
func MeanSE(values []float64) (mean, se float64) {
	mean, sd := stat.MeanStdDev(values, nil)
	return mean, stat.StdErr(sd, float64(len(values)))
}
