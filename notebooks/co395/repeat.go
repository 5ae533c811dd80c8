package co395

import "github.com/mllabs-go/mllabs/notebooks/assess"

// Repeat runs an experiment with the seeds 0 to n-1 and collects what it measures:
// list i of the result holds the n measurements of value i.
func Repeat(n int, experiment func(seed uint64) []float64) [][]float64 {
	runs := make([][]float64, n)
	assess.Seeds(n, func(seed uint64) float64 {
		runs[seed] = experiment(seed)
		return 0
	})
	var values [][]float64
	for _, run := range runs {
		for i, x := range run {
			if i == len(values) {
				values = append(values, nil)
			}
			values[i] = append(values[i], x)
		}
	}
	return values
}

// SeedIgnored reports whether a function of a seed has the same value for the seeds 0 to
// n-1. What is drawn may agree for two seeds, but hardly for many.
func SeedIgnored(n int, f func(seed uint64) float64) bool {
	first := f(0)
	for seed := range uint64(n) {
		if f(seed) != first {
			return false
		}
	}
	return true
}
