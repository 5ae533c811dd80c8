package flattree

import (
	"sync/atomic"

	"gonum.org/v1/gonum/mat"
)

// Trees are trees over the same features that rows pass through one after the other, as
// in a forest. They are safe for concurrent use.
type Trees struct {
	plain []*Tree
	few   int64                 // how many rows pass faster than the trees can be coded
	rows  atomic.Int64          // that were expected
	begun atomic.Bool           // whether somebody has begun to code the trees
	coded atomic.Pointer[coded] // nil before that is done, and where rows would not pass faster
}

// NewTrees returns trees that rows can pass through.
func NewTrees[T interface{ Tree() *Tree }](trees []T) *Trees {
	t := &Trees{plain: make([]*Tree, len(trees))}
	nodes := 0
	for k, m := range trees {
		t.plain[k] = m.Tree()
		nodes += len(t.plain[k].Nodes)
	}
	// To code a node takes about as long as it saves on two rows that pass its tree: on one of
	// Letter, on up to four of continuous columns.
	t.few = int64(2 * nodes / max(len(trees), 1))
	return t
}

// Expect tells that n more rows are to pass, for which it may be worth while to code the
// trees. The leaves are the same with and without, so that nobody waits for it but the one
// caller that does it.
func (t *Trees) Expect(n int) {
	if t.rows.Add(int64(n)) > t.few && t.begun.CompareAndSwap(false, true) {
		t.coded.Store(newCoded(t.plain, stepsPerHalving))
	}
}

// Pass lets rows lo to hi-1 of X, one that the trees' Check accepts, pass through all
// trees: leaves is called with the leaves that rows from one on reach in a tree. A row
// gets to the trees in their order.
func (t *Trees) Pass(X *mat.Dense, lo, hi int, leaves func(tree, from int, leaves []int32)) {
	switch coded := t.coded.Load(); {
	case coded != nil:
		coded.pass(X, lo, hi, leaves)
	case hi-lo < lanes:
		for row := lo; row < hi; row++ {
			eachTree(t.plain, X.RawRowView(row), func(k int, leaf []int32) { leaves(k, row, leaf) })
		}
	default:
		at := make([]int32, hi-lo)
		for k, tree := range t.plain {
			tree.leavesFrom(at, X, lo)
			leaves(k, lo, at)
		}
	}
}

// eachTree calls f with the leaf of row x in each tree, in order. Several trees are
// walked in step.
func eachTree(trees []*Tree, x []float64, f func(k int, leaf []int32)) {
	var at [lanes]int32
	for k := 0; k < len(trees); k += lanes {
		some := trees[k:min(k+lanes, len(trees))]
		together(&at, some, x)
		for l := range some {
			f(k+l, at[l:l+1])
		}
	}
}

// together puts the leaves of row x in at most lanes trees in at.
func together(at *[lanes]int32, trees []*Tree, x []float64) {
	*at = [lanes]int32{}
	var nodes [lanes][]Node
	for l, t := range trees {
		if !t.simple() {
			at[l] = t.leafAny(x)
			continue
		}
		nodes[l] = t.Nodes
	}
	for moved := true; moved; {
		moved = false
		for l, all := range nodes[:len(trees)] {
			if all == nil {
				continue
			}
			i := at[l]
			n := &all[i]
			next := n.Right
			if x[n.Feature&^(n.Feature>>31)] < n.Cut { // a leaf looks at column 0, whatever is there
				next = i + 1
			}
			moved = moved || next != i
			at[l] = next
		}
	}
}
