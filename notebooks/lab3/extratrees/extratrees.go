// Package extratrees is what lab 3's notebook about ExtraTrees gives to its readers: the
// impurity of a split, and the number of different questions that an ensemble asks.
package extratrees

import (
	"maps"
	"slices"

	"github.com/mllabs-go/mllabs/notebooks/lab3"
)

// Gini is the mean Gini impurity of two sets of labels, weighted by their sizes. An empty
// side adds nothing, so that with nothing below it is the impurity of all labels.
func Gini(below, above []int) float64 {
	total := 0.0
	for _, labels := range [][]int{below, above} {
		same := map[int]int{}
		for _, c := range labels {
			same[c]++
		}
		for _, c := range slices.Sorted(maps.Keys(same)) {
			n := float64(same[c])
			total += float64(n * (1 - n/float64(len(labels))))
		}
	}
	return total / float64(len(below)+len(above))
}

// Questions is the number of different questions of all trees of an ensemble: two nodes ask
// the same if feature and threshold are the same.
func Questions(forest []*lab3.Tree) int {
	type question struct {
		feature int
		thresh  float64
	}
	asked := map[question]bool{}
	for todo := append([]*lab3.Tree(nil), forest...); len(todo) > 0; {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if node.Leaf() {
			continue
		}
		asked[question{node.Feature, node.Thresh}] = true
		todo = append(todo, node.Below, node.Above)
	}
	return len(asked)
}
