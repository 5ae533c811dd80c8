package cits5508

import "math"

// CoverageChances is the chance that each number of m new rows, from 0 to m, lies in its
// split conformal interval, over the draws of the n rows that calibrate and the new ones.
// Where all n+m residuals are exchangeable and differ, the number of rows inside has the
// beta-binomial distribution with the parameters r = ceil((n+1)·level) and n+1-r, whatever
// the model: the rank of the n+m residuals decides (Vovk, 2012, "Conditional validity of
// inductive conformal predictors", has it for many new rows). r has to be at most n.
func CoverageChances(n, m int, level float64) []float64 {
	r := int(math.Ceil(float64(n+1) * level))
	chances := make([]float64, m+1)
	for k := range chances {
		// k new residuals are at most the r-th smallest of the n: of all orders, those in
		// which r-1+k of the n+m stand before it.
		chances[k] = math.Exp(choose(r-1+k, k) + choose(n-r+m-k, m-k) - choose(n+m, m))
	}
	return chances
}

// choose is the logarithm of the number of ways to choose k of n.
func choose(n, k int) float64 {
	log := func(n int) float64 { v, _ := math.Lgamma(float64(n + 1)); return v }
	return log(n) - log(k) - log(n-k)
}
