// Package subsets is what lab 3's notebook about feature subsets gives to its readers: a tree
// that remembers its columns, and the measuring of forests.
package subsets

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"github.com/mllabs-go/mllabs/notebooks/lab3/trees"
	"gonum.org/v1/gonum/mat"
)

// A Tree is a decision tree and the columns that it knows: its feature i is column
// Features[i] of the data.
type Tree struct {
	Features []int
	Tree     *lab3.Tree
}

// String is the list of columns and the tree on one line.
func (t Tree) String() string { return fmt.Sprint(t.Features, t.Tree) }

// PickColumns returns the matrix of the given columns of X, in their order.
func PickColumns(X *mat.Dense, columns []int) *mat.Dense {
	n, _ := X.Dims()
	picked := mat.NewDense(n, len(columns), nil)
	picked.Apply(func(i, j int, _ float64) float64 { return X.At(i, columns[j]) }, picked)
	return picked
}

// Grow grows a tree by the Gini impurity with at least 3 samples in a leaf, for
// trees.Predict. It panics if the samples cannot be learned from.
func Grow(X *mat.Dense, y []int) *lab3.Tree {
	cfg := tree.Config{Rule: tree.AtLeast, MinSamplesLeaf: 3}
	return lab3.FromModel(must(cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))))
}

// Stumps are trees of one question each: class 1 if the given column is at least 5, else 0.
func Stumps(columns ...int) []Tree {
	forest := make([]Tree, len(columns))
	for i, column := range columns {
		forest[i] = Tree{[]int{column}, trees.Stumps(5)[0]}
	}
	return forest
}

// TreeError is the mean error rate of the single trees on a data set.
func TreeError(forest []Tree, ds *mlcore.Dataset) (mean float64) {
	for _, member := range forest {
		X := PickColumns(ds.X, member.Features)
		mean += assess.ErrorRate(trees.Predict(member.Tree, X), ds.Y) / float64(len(forest))
	}
	return mean
}

// pairsAgree is the mean proportion of samples on which two voters agree, over all pairs of
// voters; votes[t] holds the class codes that voter t gives to the samples.
func pairsAgree(votes [][]int) float64 {
	var all []float64
	for i, first := range votes {
		for _, second := range votes[i+1:] {
			all = append(all, 1-assess.ErrorRate(first, second))
		}
	}
	return assess.Scores{Errors: all}.Mean()
}

// Measures are means over forests of five seeds.
type Measures struct {
	Drawn     string
	Tree      float64 `table:"error of a tree"`
	Agreement float64 `table:"two trees agree"`
	Forest    float64 `table:"error of the forest"`
}

// Measure trains forests of five seeds on train and measures them on test: how often one of
// their trees is wrong, how often two of them agree, and how often the vote is wrong. Their
// settings are those of config, for m columns, drawn for each tree or at each split.
func Measure(config func(m int, perTree bool, seed uint64) ensemble.ForestConfig,
	m int, perTree bool, train, test *mlcore.Dataset) Measures {
	r := Measures{Drawn: fmt.Sprint(m, " at each split")}
	if perTree {
		r.Drawn = fmt.Sprint(m, " for each tree")
	}
	const seeds = 5
	for seed := range uint64(seeds) {
		model := must(config(m, perTree, seed).FitClassifier(train))
		var votes [][]int
		for _, member := range model.Trees() {
			said := must(member.Predict(test.X))
			votes = append(votes, said)
			r.Tree += assess.ErrorRate(said, test.Y) / float64(seeds*len(model.Trees()))
		}
		r.Agreement += pairsAgree(votes) / seeds
		r.Forest += assess.ErrorRate(must(model.Predict(test.X)), test.Y) / seeds
	}
	return r
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("subsets: %w", err))
	}
	return v
}
