package co395

import (
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// SixCars is a small frame with the columns size, colour and class: three large cars, of
// which the first is of class "unacc", a small one, which is, and two middle ones, which
// are not.
func SixCars() dataframe.DataFrame {
	return dataframe.LoadRecords([][]string{{"size", "colour", "class"},
		{"large", "red", "unacc"}, {"large", "red", "acc"}, {"large", "blue", "good"},
		{"small", "blue", "unacc"}, {"middle", "red", "acc"}, {"middle", "red", "good"}})
}

// voteOnCodes is the plain vote of the k nearest neighbours, by a distance that takes the
// codes of categories for numbers.
func voteOnCodes(k int, metric neighbors.Metric) assess.FitPredict {
	vote := assess.Model(neighbors.Config{Neighbors: k, Metric: metric}.FitClassifier)
	return func(train *mlcore.Dataset, X *mat.Dense) []int {
		return vote(assess.Codes(train), X)
	}
}

// noisyRates holds the mean error rates of a vote from clean and from noisy training sets,
// and the standard error of the latter.
type noisyRates struct {
	Vote         string
	Clean, Noisy float64
	Error        float64 `table:"± of noisy"`
}

// noisyRow is the row of f for so many training sets of each kind, see [FreshErrors].
func noisyRow(vote string, f assess.FitPredict, clean, noisy func(seed uint64) *mlcore.Dataset,
	test *mlcore.Dataset, seeds int) noisyRates {
	row := noisyRates{Vote: vote, Clean: stat.Mean(FreshErrors(f, clean, test, seeds), nil)}
	mean, sd := stat.MeanStdDev(FreshErrors(f, noisy, test, seeds), nil)
	row.Noisy, row.Error = mean, sd/math.Sqrt(float64(seeds))
	return row
}
