package flattree

import (
	"slices"
	"strings"
	"testing"
)

// asGrown is a tree as best-first growing leaves it, its nodes in the order of
// growing: 0 tests, its left child 1 tests and has leaves 3 and 4, 2 is a leaf.
func asGrown() (t Tree, left []int32) {
	t = Tree{Features: 2}
	for i := range 5 {
		t.AddLeaf(10*i, float64(i), float64(i)/8)
	}
	t.SetTest(0, 1, 0.5, nil, false)
	t.SetTest(1, 0, 2.5, nil, false)
	t.Nodes[0].Right, t.Nodes[1].Right = 2, 4
	return t, []int32{1, 3, -1, -1, -1}
}

// By hand: preorder is 0 1 3 4 2.
func TestRearranged(t *testing.T) {
	grown, left := asGrown()
	children := func(i int32) (int32, int32) { return left[i], grown.Nodes[i].Right }
	got, order := grown.Rearranged(children)
	want := []Node{{0.5, 1, 4}, {2.5, 0, 3}, Leaf(2), Leaf(3), Leaf(4)}
	if !slices.Equal(order, []int32{0, 1, 3, 4, 2}) || !slices.Equal(got.Nodes, want) || !slices.Equal(got.Samples, []int32{0, 10, 30, 40, 20}) {
		t.Errorf("order %v, nodes %v, samples %v", order, got.Nodes, got.Samples)
	}
	if err := got.Validate(); err != nil {
		t.Errorf("the tree in preorder: %v", err)
	}
	if got.Depth() != 2 || got.NumLeaves() != 3 {
		t.Errorf("depth %d, %d leaves; want 2, 3", got.Depth(), got.NumLeaves())
	}
	// Node 1 as a leaf takes its children away.
	left[1] = -1
	got, order = grown.Rearranged(children)
	if !slices.Equal(order, []int32{0, 1, 2}) || !slices.Equal(got.Nodes, []Node{{0.5, 1, 2}, Leaf(1), Leaf(2)}) {
		t.Errorf("pruned: order %v, nodes %v", order, got.Nodes)
	}
}

func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(t *Tree)
		says  string
	}{
		{"no node", func(t *Tree) { t.Nodes = nil }, "0 nodes"},
		{"feature", func(t *Tree) { t.Nodes[0].Feature = 2 }, "feature 2 of 2"},
		{"two parents", func(t *Tree) { t.Nodes[1].Right = 4 }, "right child 4"},
		{"a cycle", func(t *Tree) { t.Nodes[1].Right = 1 }, "right child 1"},
		{"out of order", func(t *Tree) { t.Nodes[0].Right = 3 }, "right child 3"},
		{"short columns", func(t *Tree) { t.Weight = t.Weight[:2] }, "columns"},
		{"categories", func(t *Tree) { t.Levels = []int{3, 0} }, "categories at 2.5"},
		{"missing", func(t *Tree) { t.Missing = true }, "missing"},
	} {
		grown, left := asGrown()
		tree, _ := grown.Rearranged(func(i int32) (int32, int32) { return left[i], grown.Nodes[i].Right })
		tc.spoil(&tree)
		if err := tree.Validate(); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
}
