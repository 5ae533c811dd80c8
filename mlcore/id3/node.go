package id3

// A Node is one row of a tree's node table.
type Node struct {
	// Feature is the column that is asked for, -1 at a leaf.
	Feature int
	// Children holds for each code the index of a node, -1 where training had
	// no such row; with AllowMissing the last is that of missing values.
	Children []int
	// Impurity is the entropy of the training rows, in bits.
	Impurity float64
	// Samples is the number of training rows of positive weight.
	Samples int
	// Weight is their weight.
	Weight float64
	// Distribution holds the weight of each class.
	Distribution []float64
	// Class is the most common class by weight, the lowest on a tie.
	Class int
}

// Leaf reports whether n is a leaf.
func (n Node) Leaf() bool { return n.Feature < 0 }

// Node returns row i of the node table; the root is row 0. Rows are in preorder.
// It panics where i is not in 0..NumNodes()-1.
func (m *Model) Node(i int) Node {
	n := Node{
		Feature: int(m.feature[i]), Impurity: m.impurity[i], Samples: int(m.samples[i]), Weight: m.weight[i],
		Distribution: m.distributions.Dense(i), Class: int(m.distributions.Class[i]),
	}
	for _, c := range m.branches(i) {
		n.Children = append(n.Children, int(c))
	}
	return n
}

// Nodes returns the whole node table.
func (m *Model) Nodes() []Node {
	nodes := make([]Node, m.NumNodes())
	for i := range nodes {
		nodes[i] = m.Node(i)
	}
	return nodes
}
