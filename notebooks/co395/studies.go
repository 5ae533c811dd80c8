package co395

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// MadeUpErrors makes up the errors of two models on ten folds. The folds differ in
// difficulty, and the true error of the first model is larger by gap.
func MadeUpErrors(gap float64, seed uint64) (a, b []float64) {
	rng := mlcore.NewRand(seed)
	for range 10 {
		hard := 0.2 + float64(0.05*rng.NormFloat64())
		a = append(a, hard+gap+float64(0.03*rng.NormFloat64()))
		b = append(b, hard+float64(0.03*rng.NormFloat64()))
	}
	return a, b
}

// Order is the places of x in the order of what stands there, from the smallest on. Of
// equal ones the first comes first.
func Order(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}
