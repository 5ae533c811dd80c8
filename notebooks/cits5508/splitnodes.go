package cits5508

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// SplitNodes returns the samples of each node of a tree that asks a question, the root
// first. It panics if the data set does not have the tree's features.
func SplitNodes(t *tree.Classifier, ds *mlcore.Dataset) []*mlcore.Dataset {
	paths, err := t.DecisionPath(ds.X)
	if err != nil {
		panic(err)
	}
	rows := make([][]int, t.NumNodes())
	for i, path := range paths {
		for _, node := range path {
			rows[node] = append(rows[node], i)
		}
	}
	var split []*mlcore.Dataset
	for node, of := range rows {
		if !t.Node(node).Leaf() {
			split = append(split, ds.Subset(of))
		}
	}
	return split
}
