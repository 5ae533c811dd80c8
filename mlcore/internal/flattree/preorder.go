package flattree

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// Rearranged returns the nodes that are reached from the root, in preorder, and
// their places in t. children names the places of a node's children in t; left is
// -1 where the node is to be a leaf.
func (t *Tree) Rearranged(children func(i int32) (left, right int32)) (Tree, []int32) {
	order, place, stack := make([]int32, 0, len(t.Nodes)), make([]int32, len(t.Nodes)), []int32{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		place[i] = int32(len(order))
		order = append(order, i)
		if left, right := children(i); left >= 0 {
			stack = append(stack, right, left)
		}
	}
	r := *t
	r.Nodes = given.Pick(t.Nodes, order)
	for k, i := range order {
		if left, right := children(i); left >= 0 {
			r.Nodes[k].Right = place[right]
		} else {
			r.Nodes[k] = Leaf(int32(k))
		}
	}
	r.Impurity, r.Samples, r.Weight = given.Pick(t.Impurity, order), given.Pick(t.Samples, order), given.Pick(t.Weight, order)
	r.MissingLeft = given.Pick(t.MissingLeft, order)
	return r, order
}

// Validate says why prediction could not walk a tree whose fields come from
// elsewhere.
func (t *Tree) Validate() error {
	n, fail := len(t.Nodes), fmt.Errorf
	switch {
	case n == 0 || n > math.MaxInt32:
		return fail("a tree of %d nodes", n)
	case t.Features < 1:
		return fail("a tree of %d features", t.Features)
	case t.Rule != AtMost && t.Rule != AtLeast:
		return fail("rule %d", int(t.Rule))
	case t.Levels != nil && len(t.Levels) != t.Features:
		return fail("%d levels for %d features", len(t.Levels), t.Features)
	case len(t.Impurity) != n || len(t.Samples) != n || len(t.Weight) != n:
		return fail("columns of %d, %d and %d for %d nodes", len(t.Impurity), len(t.Samples), len(t.Weight), n)
	case t.Missing != (t.MissingLeft != nil) || t.Missing && len(t.MissingLeft) != n:
		return fail("%d sides for missing values, %d nodes", len(t.MissingLeft), n)
	}
	for j, l := range t.Levels {
		if l < 0 || l > math.MaxInt32 {
			return fail("%d levels in column %d", l, j)
		}
	}
	// Each node but the root has to be the child of exactly one node, in
	// preorder: walk it with the stack of right children to come.
	var due []int32
	for i, f := range t.Nodes {
		if f.Feature < -1 || int(f.Feature) >= t.Features {
			return fail("node %d tests feature %d of %d", i, f.Feature, t.Features)
		}
		if f.Feature < 0 {
			if len(due) == 0 {
				if i != n-1 {
					return fail("%d nodes after the last leaf", n-1-i)
				}
				return nil
			}
			if due[len(due)-1] != int32(i+1) {
				return fail("node %d is where node %d should be", i+1, due[len(due)-1])
			}
			due = due[:len(due)-1]
			continue
		}
		if int(f.Right) <= i+1 || int(f.Right) >= n || len(due) > 0 && f.Right >= due[len(due)-1] {
			return fail("node %d has right child %d", i, f.Right)
		}
		due = append(due, f.Right)
		if levels := t.LevelsOf(f.Feature); levels > 0 {
			if !(f.Cut >= 0 && f.Cut == math.Trunc(f.Cut) && f.Cut+float64(SetWords(levels)) <= float64(len(t.Sets))) {
				return fail("node %d has its categories at %v", i, f.Cut)
			}
		} else if f.Cut != f.Cut {
			return fail("node %d has threshold NaN", i)
		}
	}
	return fail("the last of %d nodes is not a leaf", n)
}
