package sigtest

import (
	"cmp"
	"slices"
)

// midranks returns the ranks of v from 1 for the smallest, equal values sharing
// the mean of theirs, and the sum of t³-t over groups of t equal values.
func midranks(v []float64) (ranks []float64, ties float64) {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	ranks = make([]float64, len(v))
	for lo := 0; lo < len(order); {
		hi := lo + 1
		for hi < len(order) && v[order[hi]] == v[order[lo]] {
			hi++
		}
		for _, i := range order[lo:hi] {
			ranks[i] = float64(lo+1+hi) / 2
		}
		ties += tieTerm(hi - lo)
		lo = hi
	}
	return ranks, ties
}

func tieTerm(n int) float64 {
	t := float64(n)
	return float64(t * (float64(t*t) - 1))
}
