package co395

import "gonum.org/v1/gonum/stat/distuv"

// NormalWeights are the values of the density of the standard normal distribution at the
// distances d: 0.3989 at 0, and less the larger the distance is.
func NormalWeights(d []float64) []float64 {
	weights := make([]float64, len(d))
	for i := range d {
		weights[i] = distuv.UnitNormal.Prob(d[i])
	}
	return weights
}
