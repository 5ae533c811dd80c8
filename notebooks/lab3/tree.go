package lab3

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// A Split is a test of one feature and the class that each side gets.
type Split struct {
	Feature int
	Thresh  float64
	C0      int // class of the samples with feature < thresh
	C1      int // class of the samples with feature >= thresh
}

// A Tree is a decision node with two subtrees or, where Below is nil, a leaf.
type Tree struct {
	Class   int     // the class assigned to this node
	Feature int     // the feature that a decision tests
	Thresh  float64 // the value it is tested against
	Below   *Tree   // for feature < thresh
	Above   *Tree   // for feature >= thresh

	model *tree.Classifier // see Model
}

// Leaf reports whether the node asks no further question.
func (t *Tree) Leaf() bool { return t.Below == nil }

// Leaves is the number of leaves of the tree.
func (t *Tree) Leaves() int {
	if t.Leaf() {
		return 1
	}
	return t.Below.Leaves() + t.Above.Leaves()
}

// String writes the tree on one line, (x0 < 3: 0, else: 1) for a single question.
func (t *Tree) String() string {
	if t.Leaf() {
		return fmt.Sprint(t.Class)
	}
	return fmt.Sprintf("(x%d < %v: %v, else: %v)", t.Feature, t.Thresh, t.Below, t.Above)
}

// FromModel is the tree that mlcore has grown, in the form of the hand-out.
func FromModel(m *tree.Classifier) *Tree {
	t := fromNode(m, 0)
	t.model = m
	return t
}

func fromNode(m *tree.Classifier, i int) *Tree {
	n := m.Node(i)
	if n.Leaf() {
		return &Tree{Class: n.Class}
	}
	return &Tree{Class: n.Class, Feature: n.Feature, Thresh: n.Threshold,
		Below: fromNode(m, n.Left), Above: fromNode(m, n.Right)}
}

// Model is the model that the tree was made from by [FromModel], nil for any
// other tree.
func (t *Tree) Model() *tree.Classifier { return t.model }
