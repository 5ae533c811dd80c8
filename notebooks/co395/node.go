package co395

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// A Node is a node of a decision tree that can be changed, unlike those of package
// tree. A leaf has no children; any other node has two.
type Node struct {
	// Class is the majority class of the node's training samples.
	Class int
	// Samples that have at most Threshold in column Feature go to Left.
	Feature   int
	Threshold float64
	Left      *Node
	Right     *Node
}

// NewNode copies a tree that package tree has grown on numbers.
func NewNode(m *tree.Classifier) *Node { return newNode(m, 0) }

// Grow is the tree of package tree, grown on numbers by information gain until every
// leaf is pure. It panics on an error, as a cell would.
func Grow(ds *mlcore.Dataset) *Node {
	m, err := tree.Config{Criterion: tree.Entropy}.FitClassifier(ds)
	if err != nil {
		panic(err)
	}
	return NewNode(m)
}

func newNode(m *tree.Classifier, i int) *Node {
	from := m.Node(i)
	n := &Node{Class: from.Class, Feature: from.Feature, Threshold: from.Threshold}
	if !from.Leaf() {
		n.Left, n.Right = newNode(m, from.Left), newNode(m, from.Right)
	}
	return n
}

// Leaf reports whether n has no children.
func (n *Node) Leaf() bool { return n.Left == nil }

// Leaves is the number of leaves below n, or 1 for a leaf.
func (n *Node) Leaves() int {
	if n.Leaf() {
		return 1
	}
	return n.Left.Leaves() + n.Right.Leaves()
}

// Predict is the class of the leaf that each row of X reaches.
func (n *Node) Predict(X mat.Matrix) []int {
	rows, _ := X.Dims()
	classes := make([]int, rows)
	for i := range classes {
		at := n
		for !at.Leaf() {
			if X.At(i, at.Feature) <= at.Threshold {
				at = at.Left
			} else {
				at = at.Right
			}
		}
		classes[i] = at.Class
	}
	return classes
}

// Errors is the number of samples that the tree misclassifies.
func (n *Node) Errors(ds *mlcore.Dataset) int {
	errors := 0
	for i, c := range n.Predict(ds.X) {
		if c != ds.Y[i] {
			errors++
		}
	}
	return errors
}

// MultiwayTree is the drawing of a tree of package id3 that was grown on ds.
func MultiwayTree(m *id3.Model, ds *mlcore.Dataset) *plotx.TreeNode {
	return multiwayTree(m, ds, 0)
}

func multiwayTree(m *id3.Model, ds *mlcore.Dataset, i int) *plotx.TreeNode {
	n := m.Node(i)
	var counts []string
	for _, w := range n.Distribution {
		counts = append(counts, fmt.Sprint(w))
	}
	drawn := &plotx.TreeNode{
		Text:     ds.ClassNames[n.Class] + "\n" + strings.Join(counts, ", "),
		Class:    n.Class,
		Strength: slices.Max(n.Distribution) / n.Weight,
	}
	if n.Leaf() {
		return drawn
	}
	drawn.Text = ds.Columns[n.Feature].Name + "?\n" + strings.Join(counts, ", ")
	for code, child := range n.Children {
		if child >= 0 {
			branch := multiwayTree(m, ds, child)
			branch.Edge = ds.Columns[n.Feature].Levels[code]
			drawn.Children = append(drawn.Children, branch)
		}
	}
	return drawn
}
