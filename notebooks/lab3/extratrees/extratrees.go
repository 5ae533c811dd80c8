// Package extratrees is what lab 3's notebook about ExtraTrees gives to its readers: the
// impurity of a split, small trees to try an ensemble with, and the library's ensembles.
package extratrees

import (
	"maps"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/floats"
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

// Leaf is a tree that asks nothing.
func Leaf(class int) *lab3.Tree { return &lab3.Tree{Class: class} }

// Ask is a tree that begins with a question about a feature.
func Ask(feature int, thresh float64, below, above *lab3.Tree) *lab3.Tree {
	return &lab3.Tree{Feature: feature, Thresh: thresh, Below: below, Above: above}
}

// Stumps are trees of one question each: class 1 if feature 0 is at least the given value,
// else class 0.
func Stumps(at ...float64) []*lab3.Tree {
	forest := make([]*lab3.Tree, len(at))
	for i, thresh := range at {
		forest[i] = Ask(0, thresh, Leaf(0), Leaf(1))
	}
	return forest
}

// Line is 1, 2, ..., n.
func Line(n int) []float64 { return floats.Span(make([]float64, n), 1, float64(n)) }

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

// Forest is the library's random forest with the hand-out's sizes: the Gini impurity,
// bootstrap samples, all features at each split, and a hard vote.
func Forest(k int, seed uint64) ensemble.ForestConfig {
	return ensemble.ForestConfig{Estimators: k, Seed: seed, Voting: ensemble.HardVoting,
		MaxFeatures: tree.AllFeatures,
		Tree:        tree.Config{Rule: tree.AtLeast, MinSamplesLeaf: 3, MaxDepth: 10}}
}

// Extra is the library's ensemble of trees that take the best of some random candidates at
// each node, with the hand-out's sizes and a hard vote.
func Extra(k, candidates int, seed uint64) ensemble.ExtraTreesConfig {
	return ensemble.ExtraTreesConfig{Estimators: k, Seed: seed, Voting: ensemble.HardVoting,
		Tree: tree.Config{RandomCandidates: candidates, MinSamplesLeaf: 3, MaxDepth: 10}}
}
