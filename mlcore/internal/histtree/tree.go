package histtree

import (
	"gonum.org/v1/gonum/mat"
)

// A Tree is a fitted tree. It predicts from raw values. Its nodes are in
// preorder, so that a left child follows its parent.
type Tree struct {
	nodes []node
	sets  []uint64  // the sets of categories that go left, see node.cut
	value []float64 // of each node; an inner node's is what it would predict as a leaf
	gain  []float64 // of each split; 0 in a leaf

	// Of the training rows of each node, the sum of the curvatures and the number. Only
	// files use them, for readers of their JSON form.
	curvature []float64
	samples   []int32
}

// node is what prediction walks: x <= cut goes to the next node, other numbers
// to right; at a test on categories, cut is the place of its set in sets. A leaf
// has column -1.
type node struct {
	cut         float64
	column      int32
	right       int32
	words       int32 // length of the set of a test on categories, else 0
	missingLeft bool
}

// tree puts the grown nodes in preorder.
func (g *Grower) tree() *Tree {
	n := len(g.nodes)
	t := &Tree{
		nodes: make([]node, 0, n), value: make([]float64, 0, n), gain: make([]float64, 0, n), curvature: make([]float64, 0, n), samples: make([]int32, 0, n),
	}
	g.place(t, 0)
	return t
}

func (g *Grower) place(t *Tree, i int) {
	n, at := &g.nodes[i], len(t.nodes)
	s := g.scale.of(n.sum)
	n.at = at
	t.nodes = append(t.nodes, node{column: -1})
	t.value = append(t.value, g.leafValue(n))
	t.gain, t.curvature, t.samples = append(t.gain, 0), append(t.curvature, s.curvature), append(t.samples, int32(s.rows))
	if n.left == 0 {
		return
	}
	t.gain[at] = n.best.gain
	test := node{column: int32(n.best.column), missingLeft: n.best.missingLeft}
	if c := &g.bins.columns[n.best.column]; c.levels > 0 {
		test.cut, test.words = float64(len(t.sets)), int32(setWords(c.levels))
		t.sets = append(t.sets, c.set(&n.best.left)...)
	} else {
		test.cut = g.bins.limit(n.best.column, n.best.bin)
	}
	g.place(t, n.left)
	test.right = int32(len(t.nodes))
	t.nodes[at] = test
	g.place(t, n.right)
}

// leafValue is the value of a node. A curvature too small for a leaf, which only
// a root can have, would make the step wild.
func (g *Grower) leafValue(n *growing) float64 {
	s := g.scale.of(n.sum)
	if s.curvature+g.p.L2 < g.p.MinCurvature {
		return 0
	}
	return g.p.value(s, g.p.L2+n.smoothing, n.bound)
}

func setWords(levels int) int { return (levels + 63) / 64 }

// set returns the categories whose codes are in left.
func (c *binning) set(left *codeSet) []uint64 {
	set := make([]uint64, setWords(c.levels))
	for l, code := range c.code {
		if left.has(code) {
			set[l>>6] |= 1 << (l & 63)
		}
	}
	return set
}

// leaf returns the leaf that row x reaches.
func (t *Tree) leaf(x []float64) int {
	i := 0
	for {
		n := &t.nodes[i]
		if n.column < 0 {
			return i
		}
		v := x[n.column]
		var left bool
		switch {
		case v != v:
			left = n.missingLeft
		case n.words == 0:
			left = v <= n.cut
		default:
			l := int(v)
			left = t.sets[int(n.cut)+l>>6]>>(l&63)&1 != 0
		}
		if left {
			i++
		} else {
			i = int(n.right)
		}
	}
}

// AddValues adds the tree's predictions for rows lo to hi-1 of X to the same
// places of dst. It checks nothing but bounds.
func (t *Tree) AddValues(dst []float64, X *mat.Dense, lo, hi int) {
	for i := lo; i < hi; i++ {
		dst[i] += t.value[t.leaf(X.RawRowView(i))]
	}
}

// Scale multiplies the values of all nodes.
func (t *Tree) Scale(factor float64) {
	for i := range t.value {
		t.value[i] *= factor
	}
}

// Value is the value of a node.
func (t *Tree) Value(at int) float64 { return t.value[at] }

// NumNodes is the number of nodes, leaves included.
func (t *Tree) NumNodes() int { return len(t.nodes) }

// Splits calls f with the column and the gain of each split.
func (t *Tree) Splits(f func(column int, gain float64)) {
	for i, n := range t.nodes {
		if n.column >= 0 {
			f(int(n.column), t.gain[i])
		}
	}
}
