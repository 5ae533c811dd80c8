package histtree

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

// Fields names the fields of a tree on the given number of columns, of which
// levels[j] says how many categories each has (nil: all are numeric). What prediction
// could not walk makes c fail.
func (t *Tree) Fields(c *archive.Coder, features int, levels []int) {
	n := len(t.nodes)
	cut, column, right := make([]float64, n), make([]int32, n), make([]int32, n)
	side := make([]bool, n)
	for i, nd := range t.nodes {
		cut[i], column[i], right[i], side[i] = nd.cut, nd.column, nd.right, nd.missingLeft
	}
	c.Float64s("threshold", &cut)
	c.Int32s("feature", &column)
	c.Int32s("right", &right)
	c.Bools("missing_left", &side)
	c.Uint64s("category_sets", &t.sets)
	c.Float64s("value", &t.value)
	c.Float64s("gain", &t.gain)
	c.Float64s("curvature", &t.curvature)
	c.Int32s("samples", &t.samples)
	if !c.Reading() {
		return
	}
	if n := len(cut); len(column) != n || len(right) != n || len(side) != n || len(t.value) != n || len(t.gain) != n || len(t.curvature) != n || len(t.samples) != n {
		c.Fail("a tree's columns differ in length")
		return
	}
	t.nodes = make([]node, len(cut))
	for i := range t.nodes {
		nd := node{cut: cut[i], column: column[i], right: right[i], missingLeft: side[i]}
		if int(nd.column) >= features || nd.column < -1 {
			c.Fail("node %d tests column %d of %d", i, nd.column, features)
			return
		}
		if nd.column >= 0 && levels != nil {
			nd.words = int32(setWords(levels[nd.column]))
		}
		if nd.words > 0 && !(nd.cut >= 0 && nd.cut == math.Trunc(nd.cut) && nd.cut+float64(nd.words) <= float64(len(t.sets))) {
			c.Fail("node %d has its categories at %v", i, nd.cut)
		}
		if nd.cut != nd.cut || t.value[i]-t.value[i] != 0 {
			c.Fail("node %d has threshold %v and value %v", i, nd.cut, t.value[i])
		}
		t.nodes[i] = nd
	}
	t.checkOrder(c)
}

// checkOrder fails unless the nodes are one tree in preorder.
func (t *Tree) checkOrder(c *archive.Coder) {
	var due []int32 // right children that are still to come, the next last
	for i, n := range t.nodes {
		last := i == len(t.nodes)-1
		switch {
		case n.column >= 0:
			if last || n.right <= int32(i+1) || int(n.right) >= len(t.nodes) || len(due) > 0 && n.right >= due[len(due)-1] {
				c.Fail("node %d has right child %d", i, n.right)
				return
			}
			due = append(due, n.right)
		case len(due) > 0:
			if due[len(due)-1] != int32(i+1) {
				c.Fail("node %d follows a leaf, not node %d", i+1, due[len(due)-1])
				return
			}
			due = due[:len(due)-1]
		case !last:
			c.Fail("%d nodes after the last leaf", len(t.nodes)-1-i)
			return
		}
	}
	if len(t.nodes) == 0 || len(due) > 0 {
		c.Fail("a tree of %d nodes that does not end", len(t.nodes))
	}
}
