package ada511

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/stat"
)

// Bootstrap draws n of n row numbers with replacement. Each member of an ensemble
// has draws of its own.
func Bootstrap(n int, seed uint64, member int) []int {
	rng, rows := mlcore.NewRand(seed, uint64(member)), make([]int, n)
	for i := range rows {
		rows[i] = rng.IntN(n)
	}
	return rows
}

// Spread looks at models of many training sets: predictions[s][k] holds the
// predictions of model k of training set s at the same points for all of them. It
// returns the variance of a single model over the training sets, and the correlation
// of two models of the same training set, both as means over the points.
func Spread(predictions [][][]float64) (variance, correlation float64) {
	members := len(predictions[0])
	var v, c float64
	for j := range predictions[0][0] {
		for k := range members {
			a, b := at(predictions, k, j), at(predictions, (k+1)%members, j)
			v += stat.Variance(a, nil)
			c += stat.Covariance(a, b, nil)
		}
	}
	return v / float64(members*len(predictions[0][0])), c / v
}

// at collects the predictions of model k at point j over the training sets.
func at(predictions [][][]float64, k, j int) (values []float64) {
	for _, set := range predictions {
		values = append(values, set[k][j])
	}
	return values
}

// Averaged returns the variance over the training sets of the mean of the first m
// models, and its squared bias, both as means over the points. The truth at each
// point is given.
func Averaged(predictions [][][]float64, m int, truth []float64) (variance, bias2 float64) {
	for j, want := range truth {
		var means []float64
		for _, set := range predictions {
			sum := 0.0
			for _, model := range set[:m] {
				sum += model[j]
			}
			means = append(means, sum/float64(m))
		}
		mean, v := stat.MeanVariance(means, nil)
		variance += v / float64(len(truth))
		bias2 += float64((mean-want)*(mean-want)) / float64(len(truth))
	}
	return variance, bias2
}

// Numbers are class codes as numbers to reckon with.
func Numbers(codes []int) []float64 {
	y := make([]float64, len(codes))
	for i, c := range codes {
		y[i] = float64(c)
	}
	return y
}
