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
