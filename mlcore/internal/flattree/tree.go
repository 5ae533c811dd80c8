package flattree

import (
	"fmt"
	"math"
	"slices"
)

// A Tree is the part of a fitted tree that classification and regression share:
// its tests, in preorder, so that a left child follows its parent, and what is
// known of the training rows at each node.
type Tree struct {
	Features    int
	Rule        Rule
	Levels      []int // nil where all columns are numeric
	Missing     bool  // whether NaN is accepted
	Nodes       []Node
	MissingLeft []bool   // by node; nil unless Missing
	Sets        []uint64 // the sets of categories that go left
	Impurity    []float64
	Samples     []int32
	Weight      []float64
}

// A Node is a node as prediction walks it, four to a cache line. A numeric test
// sends x < Cut to the next node, others to Right. At a test on categories Cut is
// the place of its set in Sets instead. A leaf has Feature -1; its Cut of -Inf and
// its Right, which is itself, let several rows be walked in step until all of them
// stay where they are.
type Node struct {
	Cut     float64
	Feature int32
	Right   int32
}

// Leaf returns the leaf at place i.
func Leaf(i int32) Node { return Node{math.Inf(-1), -1, i} }

// A Rule is the form of the test at an inner node on a numeric column.
type Rule int

const (
	// AtMost sends x <= threshold to the left child.
	AtMost Rule = iota
	// AtLeast sends x >= threshold to the right child.
	AtLeast
)

func (r Rule) String() string {
	switch r {
	case AtMost:
		return "<="
	case AtLeast:
		return ">="
	}
	return fmt.Sprintf("Rule(%d)", int(r))
}

// AddLeaf appends a leaf that training rows of the given number, weight and
// impurity reach, and returns its place.
func (t *Tree) AddLeaf(samples int, weight, impurity float64) int32 {
	if n := len(t.Nodes); n == cap(t.Nodes) {
		// Twice as much room each time: less garbage in all than append would leave.
		t.Nodes, t.Impurity = slices.Grow(t.Nodes, n+1), slices.Grow(t.Impurity, n+1)
		t.Samples, t.Weight = slices.Grow(t.Samples, n+1), slices.Grow(t.Weight, n+1)
	}
	t.Nodes = append(t.Nodes, Leaf(int32(len(t.Nodes))))
	t.Impurity = append(t.Impurity, impurity)
	t.Samples = append(t.Samples, int32(samples))
	t.Weight = append(t.Weight, weight)
	if t.Missing {
		t.MissingLeft = append(t.MissingLeft, false)
	}
	return int32(len(t.Nodes) - 1)
}

// SetTest turns leaf i into a test: x < cut goes left or, where set is not nil,
// the categories in set.
func (t *Tree) SetTest(i, feature int32, cut float64, set []uint64, missingLeft bool) {
	n := &t.Nodes[i]
	n.Feature, n.Cut = feature, cut
	if set != nil {
		n.Cut = float64(len(t.Sets))
		t.Sets = append(t.Sets, set...)
	}
	if t.Missing {
		t.MissingLeft[i] = missingLeft
	}
}

// LevelsOf returns the number of categories of a column, 0 where it is numeric.
func (t *Tree) LevelsOf(feature int32) int {
	if t.Levels == nil {
		return 0
	}
	return t.Levels[feature]
}

// NumLeaves is the number of leaves.
func (t *Tree) NumLeaves() int {
	k := 0
	for _, n := range t.Nodes {
		if n.Feature < 0 {
			k++
		}
	}
	return k
}

// Depth is the greatest number of tests on the way to a leaf: 0 for a tree
// that is only a leaf.
func (t *Tree) Depth() int {
	depth, deepest := make([]int, len(t.Nodes)), 0
	for i, n := range t.Nodes {
		if n.Feature >= 0 {
			depth[i+1], depth[n.Right] = depth[i]+1, depth[i]+1
			deepest = max(deepest, depth[i]+1)
		}
	}
	return deepest
}

// FeatureImportances returns for each feature the share of the tree's whole
// decrease of impurity that its splits bring (Breiman et al., 1984); the shares
// sum to 1, or are all 0 where the tree has no split that helps.
func (t *Tree) FeatureImportances() []float64 {
	imp := make([]float64, t.Features)
	sum := 0.0
	t.EachFall(func(feature int32, fall float64) {
		imp[feature] += fall
		sum += fall
	})
	if sum > 0 {
		for j := range imp {
			imp[j] /= sum
		}
	}
	return imp
}

// EachFall calls f for each test, with its column and by how much it lowers the
// impurity times the weight of the rows that reach it.
func (t *Tree) EachFall(f func(feature int32, fall float64)) {
	for i, n := range t.Nodes {
		if n.Feature < 0 {
			continue
		}
		l, r := i+1, n.Right
		fall := float64(t.Weight[i]*t.Impurity[i]) - float64(t.Weight[l]*t.Impurity[l]) - float64(t.Weight[r]*t.Impurity[r])
		f(n.Feature, max(fall, 0))
	}
}

// Threshold is the number in the numeric test of node i.
func (t *Tree) Threshold(i int) float64 {
	n := t.Nodes[i]
	if n.Feature < 0 || t.LevelsOf(n.Feature) > 0 {
		return math.NaN()
	}
	if t.Rule == AtLeast || math.IsInf(n.Cut, 1) {
		return n.Cut
	}
	return math.Nextafter(n.Cut, math.Inf(-1))
}

// Categories lists the categories that go left at node i, in order.
func (t *Tree) Categories(i int) []int {
	n := t.Nodes[i]
	levels := t.LevelsOf(max(n.Feature, 0))
	if n.Feature < 0 || levels == 0 {
		return nil
	}
	var left []int
	for c := range levels {
		if t.Holds(&n, c) {
			left = append(left, c)
		}
	}
	return left
}

// Holds reports whether a category is in the set of n, a test on categories; the
// number of levels stands for missing values.
func (t *Tree) Holds(n *Node, category int) bool {
	return t.Sets[int(n.Cut)+category>>6]>>(category&63)&1 != 0
}

// MissingGoesLeft reports whether missing values go left at node i, a test.
func (t *Tree) MissingGoesLeft(i int) bool {
	if !t.Missing {
		return false
	}
	n := &t.Nodes[i]
	if levels := t.LevelsOf(n.Feature); levels > 0 {
		return t.Holds(n, levels)
	}
	return t.MissingLeft[i]
}

// SetWords is the length of a set of categories, with a place for missing.
func SetWords(levels int) int { return (levels + 64) / 64 }
