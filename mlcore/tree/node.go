package tree

import "github.com/mllabs-go/mllabs/mlcore/internal/flattree"

// A Node is one row of a tree's node table.
type Node struct {
	// Feature is the column that is tested, -1 at a leaf.
	Feature int
	// Threshold is the number of a numeric test: the left child takes
	// x <= Threshold under AtMost and x < Threshold under AtLeast. It is NaN at
	// a leaf and at a test on categories, and +Inf where only missing values go
	// right.
	Threshold float64
	// Categories lists the codes that go left at a test on categories.
	Categories []int
	// MissingLeft says whether missing values go left.
	MissingLeft bool
	// Left (below) and Right (above) are the indices of the children, -1 at a
	// leaf.
	Left, Right int
	// Impurity is that of the training rows, in the units of the criterion.
	Impurity float64
	// Samples is the number of training rows of positive weight, copies
	// included.
	Samples int
	// Weight is their weight.
	Weight float64
	// Distribution holds the weight of each class; nil in a regression tree.
	Distribution []float64
	// Class is the most common class by weight, the lowest on a tie; -1 in a
	// regression tree.
	Class int
	// Value is what a regression tree predicts here; 0 in a classification tree.
	Value float64
}

// Leaf reports whether n is a leaf.
func (n Node) Leaf() bool { return n.Feature < 0 }

// nodeOf fills in what the kinds of tree share.
func nodeOf(t *flattree.Tree, i int) Node {
	f := t.Nodes[i]
	n := Node{
		Feature: int(f.Feature), Threshold: t.Threshold(i), Categories: t.Categories(i),
		Impurity: t.Impurity[i], Samples: int(t.Samples[i]), Weight: t.Weight[i], Class: -1,
	}
	n.Left, n.Right = children(t, i)
	if !n.Leaf() {
		n.MissingLeft = t.MissingGoesLeft(i)
	}
	return n
}

// Node returns row i of the node table; the root is row 0. Rows are in
// preorder. It panics where i is not in 0..NumNodes()-1.
func (m *Classifier) Node(i int) Node {
	n := nodeOf(m.tree(), i)
	n.Class = int(m.distributions().Class[i])
	n.Distribution = m.distributions().Dense(i)
	return n
}

// Node returns row i of the node table; the root is row 0. Rows are in
// preorder. It panics where i is not in 0..NumNodes()-1.
func (m *Regressor) Node(i int) Node {
	n := nodeOf(m.tree(), i)
	n.Value = m.values()[i]
	return n
}

// Children returns the indices of the children of node i, -1 and -1 if it is a leaf.
func (m *Classifier) Children(i int) (left, right int) { return children(m.tree(), i) }

// Children returns the indices of the children of node i, -1 and -1 if it is a leaf.
func (m *Regressor) Children(i int) (left, right int) { return children(m.tree(), i) }

func children(t *flattree.Tree, i int) (left, right int) {
	if t.Nodes[i].Feature < 0 {
		return -1, -1
	}
	return i + 1, int(t.Nodes[i].Right)
}

// Distribution returns the Class, Distribution and Impurity of [Classifier.Node], which
// package plotx draws.
func (m *Classifier) Distribution(i int) (class int, weights []float64, impurity float64) {
	return int(m.distributions().Class[i]), m.distributions().Dense(i), m.tree().Impurity[i]
}

// Value returns the Value and Samples of [Regressor.Node], which package plotx draws.
func (m *Regressor) Value(i int) (value float64, samples int) {
	return m.values()[i], int(m.tree().Samples[i])
}

// Nodes returns the whole node table.
func (m *Classifier) Nodes() []Node { return table(m.NumNodes(), m.Node) }

// Nodes returns the whole node table.
func (m *Regressor) Nodes() []Node { return table(m.NumNodes(), m.Node) }

func table(n int, node func(int) Node) []Node {
	nodes := make([]Node, n)
	for i := range nodes {
		nodes[i] = node(i)
	}
	return nodes
}
