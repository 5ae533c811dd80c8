package co395

// NormalWeights are the values of the density of the standard normal distribution at the
// distances d: 0.3989 at 0, and less the larger the distance is.
func NormalWeights(d []float64) []float64 {
	density := Normal(1)
	weights := make([]float64, len(d))
	for i := range d {
		weights[i] = density(d[i])
	}
	return weights
}
