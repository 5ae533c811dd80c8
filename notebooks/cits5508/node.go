package cits5508

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// A Node is a node of a tree that a student grows: a question with two children, or a
// leaf with a class.
type Node struct {
	// Class is the most common class of the node's samples.
	Class int
	// Feature and T are the question: a sample whose feature is at most T goes to the
	// left.
	Feature int
	T       float64
	// Left and Right are nil at a leaf.
	Left, Right *Node
}

// Leaf says whether the node asks nothing.
func (n *Node) Leaf() bool { return n.Left == nil }

// String is the tree on one line: (x0 <= 2.5: 0, else 1).
func (n *Node) String() string {
	if n.Leaf() {
		return fmt.Sprint(n.Class)
	}
	return fmt.Sprintf("(x%d <= %g: %v, else %v)", n.Feature, n.T, n.Left, n.Right)
}

// Predict is the class of each row of X.
func (n *Node) Predict(X *mat.Dense) []int {
	rows, _ := X.Dims()
	classes := make([]int, rows)
	for i := range classes {
		at := n
		for !at.Leaf() {
			if X.At(i, at.Feature) <= at.T {
				at = at.Left
			} else {
				at = at.Right
			}
		}
		classes[i] = at.Class
	}
	return classes
}
