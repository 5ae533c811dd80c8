package co395

import (
	"math"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/stat"
)

// FreshErrors draws a training set from each of so many seeds, and returns the error
// rates of f on a test set of new samples, the same for all: what a model is worth on
// the average over training sets, and how much it depends on them.
func FreshErrors(f assess.FitPredict, train func(seed uint64) *mlcore.Dataset,
	test *mlcore.Dataset, seeds int) []float64 {
	return assess.Seeds(seeds, func(seed uint64) float64 {
		return assess.TestError(f, train(seed), test)
	})
}

// disagreement is the share of the test rows on which models from two training sets
// differ, as a mean over pairs of training sets: 0 and 1, 2 and 3, and so on.
func disagreement(f assess.FitPredict, train func(seed uint64) *mlcore.Dataset,
	test *mlcore.Dataset, pairs int) float64 {
	return assess.Mean(pairs, func(pair uint64) float64 {
		return assess.ErrorRate(f(train(2*pair), test.X), f(train(2*pair+1), test.X))
	})
}

// SeedCurve is the curve of the means of the values at each x, one a seed, with bars
// of one standard error of the mean.
func SeedCurve(name string, xs []float64, values func(x float64) []float64) plotx.Series {
	curve := plotx.Series{Name: name, X: xs, Dots: true}
	for _, x := range xs {
		v := values(x)
		mean, sd := stat.MeanStdDev(v, nil)
		curve.Y = append(curve.Y, mean)
		curve.Err = append(curve.Err, sd/math.Sqrt(float64(len(v))))
	}
	return curve
}

// TrainingErrors are the error rates of f on the training sets of so many seeds.
func TrainingErrors(f assess.FitPredict, train func(seed uint64) *mlcore.Dataset, seeds int) []float64 {
	return assess.Seeds(seeds, func(seed uint64) float64 {
		return assess.TrainingError(f, train(seed))
	})
}

// moons draws n samples of two moons with so much noise that the classes overlap.
func moons(n int, seed uint64) *mlcore.Dataset { return datasets.MakeMoons(n, 0.3, seed) }
