package cits5508

import "github.com/mllabs-go/mllabs/mlcore/tree"

// A Split is what the options of a tree look at before a node is split.
type Split struct {
	// Depth is the number of questions on the way to the node; 0 at the root.
	Depth int
	// Samples is the number of the node's training samples, Left and Right those of
	// its sides, and Total that of the whole tree.
	Samples, Left, Right, Total int
	// Decrease is by how much the split lowers the impurity, times the node's share of
	// all samples.
	Decrease float64
}

// Splits lists the splits of a tree that was grown without sample weights, in the
// order of its node table.
func Splits(m *tree.Classifier) []Split {
	nodes := m.Nodes()
	var all []Split
	var walk func(i, depth int)
	walk = func(i, depth int) {
		n := nodes[i]
		if n.Leaf() {
			return
		}
		l, r := nodes[n.Left], nodes[n.Right]
		fall := n.Weight*n.Impurity - l.Weight*l.Impurity - r.Weight*r.Impurity
		all = append(all, Split{depth, n.Samples, l.Samples, r.Samples, nodes[0].Samples, fall / nodes[0].Weight})
		walk(n.Left, depth+1)
		walk(n.Right, depth+1)
	}
	walk(0, 0)
	return all
}
