package tree

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A structure is the part of a fitted tree that classification and regression
// share: its tests, in preorder, so that a left child follows its parent.
type structure struct {
	features int
	rule     Rule
	levels   []int // nil where all columns are numeric
	missing  bool  // whether NaN is accepted
	nodes    []flat
	missLeft []bool   // by node; nil unless missing
	sets     []uint64 // the sets of categories that go left
	impurity []float64
	samples  []int32
	weight   []float64
}

// flat is a node as prediction walks it, four to a cache line. A numeric test
// sends x < cut to the next node, others to right. At a test on categories cut
// is the place of its set in sets instead. A leaf has feature -1; its cut of -Inf
// and its right, which is itself, let several rows be walked in step until all
// of them stay where they are.
type flat struct {
	cut     float64
	feature int32
	right   int32
}

func leafNode(i int32) flat { return flat{math.Inf(-1), -1, i} }

func (t *structure) addLeaf(s summary) int32 {
	t.nodes = append(t.nodes, leafNode(int32(len(t.nodes))))
	t.impurity = append(t.impurity, s.impurity)
	t.samples = append(t.samples, int32(s.samples))
	t.weight = append(t.weight, s.weight)
	if t.missing {
		t.missLeft = append(t.missLeft, false)
	}
	return int32(len(t.nodes) - 1)
}

func (t *structure) setTest(id int32, sp split) {
	n := &t.nodes[id]
	n.feature, n.cut = sp.feature, sp.cut
	if sp.set != nil {
		n.cut = float64(len(t.sets))
		t.sets = append(t.sets, sp.set...)
	}
	if t.missing {
		t.missLeft[id] = sp.missLeft
	}
}

// simple reports whether every test is a plain comparison.
func (t *structure) simple() bool { return !t.missing && t.levels == nil }

// leaf returns the leaf that row x reaches.
func (t *structure) leaf(x []float64) int32 {
	if !t.simple() {
		return t.leafAny(x)
	}
	i := int32(0)
	for {
		n := &t.nodes[i]
		if n.feature < 0 {
			return i
		}
		i++
		if !(x[n.feature] < n.cut) {
			i = n.right
		}
	}
}

// lanes is how many rows are walked in step: enough to keep the processor busy
// while each waits for its next node.
const lanes = 8

// leaves puts the leaves of the lanes rows of X from row lo on in at. All tests
// have to be plain comparisons.
func (t *structure) leaves(at *[lanes]int32, X *mat.Dense, lo int) {
	raw := X.RawMatrix()
	data := raw.Data[lo*raw.Stride:]
	nodes, stride := t.nodes, raw.Stride
	*at = [lanes]int32{}
	for {
		moved, row := int32(0), 0
		for k := range lanes {
			i := at[k]
			n := &nodes[i]
			// A leaf looks at column 0, whatever is there.
			j := row + int(n.feature&^(n.feature>>31))
			row += stride
			next := n.right
			if data[j] < n.cut {
				next = i + 1
			}
			moved |= next ^ i
			at[k] = next
		}
		if moved == 0 {
			return
		}
	}
}

// eachLeaf calls f with the rows lo to hi-1 of X and their leaves.
func (t *structure) eachLeaf(X *mat.Dense, lo, hi int, f func(i int, leaf int32)) {
	var at [lanes]int32
	if t.simple() {
		for ; lo+lanes <= hi; lo += lanes {
			t.leaves(&at, X, lo)
			for k, leaf := range at {
				f(lo+k, leaf)
			}
		}
	}
	for ; lo < hi; lo++ {
		f(lo, t.leaf(X.RawRowView(lo)))
	}
}

func (t *structure) leafAny(x []float64) int32 {
	i := int32(0)
	for t.nodes[i].feature >= 0 {
		if t.goesLeft(i, x) {
			i++
		} else {
			i = t.nodes[i].right
		}
	}
	return i
}

// goesLeft answers the test of node i for row x.
func (t *structure) goesLeft(i int32, x []float64) bool {
	n := &t.nodes[i]
	v := x[n.feature]
	if levels := t.levelsOf(n.feature); levels > 0 {
		code := levels // the place of missing values
		if v == v {
			code = int(v)
		}
		return t.sets[int(n.cut)+code>>6]>>(code&63)&1 != 0
	}
	if v != v {
		return t.missLeft[i]
	}
	return v < n.cut
}

func (t *structure) levelsOf(feature int32) int {
	if t.levels == nil {
		return 0
	}
	return t.levels[feature]
}

// check validates X for prediction.
func (t *structure) check(X mat.Matrix) error {
	if err := mlcore.CheckFeatures(X, t.features); err != nil {
		return err
	}
	if err := mlcore.CheckMatrix(X, t.missing); err != nil {
		return err
	}
	return mlcore.CheckLevels(X, t.levels)
}

// eachRow calls f with each row of X and its leaf; blocks of rows run in
// parallel. X has passed CheckX.
func (t *structure) eachRow(X mat.Matrix, f func(i int, leaf int32)) {
	n, _ := X.Dims()
	x := given.Dense(X)
	_ = par.Chunks(n, 2048, 0, func(lo, hi int) error {
		t.eachLeaf(x, lo, hi, f)
		return nil
	})
}

// NumFeatures is the number of columns that the tree was fitted with.
func (t *structure) NumFeatures() int { return t.features }

// Levels returns the number of categories of each column, 0 where it is numeric,
// or nil where all are.
func (t *structure) Levels() []int { return slices.Clone(t.levels) }

// AllowsMissing reports whether NaN is accepted.
func (t *structure) AllowsMissing() bool { return t.missing }

// NumNodes is the number of nodes, leaves included.
func (t *structure) NumNodes() int { return len(t.nodes) }

// NumLeaves is the number of leaves.
func (t *structure) NumLeaves() int {
	k := 0
	for _, n := range t.nodes {
		if n.feature < 0 {
			k++
		}
	}
	return k
}

// Depth is the greatest number of tests on the way to a leaf: 0 for a tree
// that is only a leaf.
func (t *structure) Depth() int {
	depth, deepest := make([]int, len(t.nodes)), 0
	for i, n := range t.nodes {
		if n.feature >= 0 {
			depth[i+1], depth[n.right] = depth[i]+1, depth[i]+1
			deepest = max(deepest, depth[i]+1)
		}
	}
	return deepest
}

// Apply returns for each row of X the index of the leaf that it reaches.
func (t *structure) Apply(X mat.Matrix) ([]int, error) {
	if err := t.CheckX(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	leaves := make([]int, n)
	t.eachRow(X, func(i int, leaf int32) { leaves[i] = int(leaf) })
	return leaves, nil
}

// DecisionPath returns for each row of X the indices of the nodes that it
// passes, from the root (0) to its leaf.
func (t *structure) DecisionPath(X mat.Matrix) ([][]int, error) {
	if err := t.CheckX(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	paths := make([][]int, n)
	x := given.Dense(X)
	for r := range paths {
		row := x.RawRowView(r)
		for i := int32(0); ; {
			paths[r] = append(paths[r], int(i))
			if t.nodes[i].feature < 0 {
				break
			}
			if t.goesLeft(i, row) {
				i++
			} else {
				i = t.nodes[i].right
			}
		}
	}
	return paths, nil
}

// FeatureImportances returns for each feature the share of the tree's whole
// decrease of impurity that its splits bring (Breiman et al., 1984); the shares
// sum to 1, or are all 0 where the tree has no split that helps.
func (t *structure) FeatureImportances() []float64 {
	imp := make([]float64, t.features)
	sum := 0.0
	for i, n := range t.nodes {
		if n.feature < 0 {
			continue
		}
		l, r := i+1, n.right
		gain := float64(t.weight[i]*t.impurity[i]) - float64(t.weight[l]*t.impurity[l]) - float64(t.weight[r]*t.impurity[r])
		gain = max(gain, 0)
		imp[n.feature] += gain
		sum += gain
	}
	if sum > 0 {
		for j := range imp {
			imp[j] /= sum
		}
	}
	return imp
}

// threshold is the number in the numeric test of node i.
func (t *structure) threshold(i int) float64 {
	n := t.nodes[i]
	if n.feature < 0 || t.levelsOf(n.feature) > 0 {
		return math.NaN()
	}
	if t.rule == AtLeast || math.IsInf(n.cut, 1) {
		return n.cut
	}
	return math.Nextafter(n.cut, math.Inf(-1))
}

// reorder puts node order[i] in place i: preorder, so that left children need
// no index. left and right name the children in the old order.
func (t *structure) reorder(left []int32) []int32 {
	order := make([]int32, 0, len(t.nodes))
	place := make([]int32, len(t.nodes))
	stack := []int32{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		place[i] = int32(len(order))
		order = append(order, i)
		if t.nodes[i].feature >= 0 {
			stack = append(stack, t.nodes[i].right, left[i])
		}
	}
	nodes := make([]flat, len(order))
	for k, i := range order {
		nodes[k] = t.nodes[i]
		nodes[k].right = place[nodes[k].right]
	}
	t.nodes = nodes
	t.impurity, t.samples, t.weight = given.Pick(t.impurity, order), given.Pick(t.samples, order), given.Pick(t.weight, order)
	t.missLeft = given.Pick(t.missLeft, order)
	return order
}

// categories lists the categories that go left at node i, in order.
func (t *structure) categories(i int) []int {
	n := t.nodes[i]
	levels := t.levelsOf(max(n.feature, 0))
	if n.feature < 0 || levels == 0 {
		return nil
	}
	var left []int
	for c := range levels {
		if t.sets[int(n.cut)+c>>6]>>(c&63)&1 != 0 {
			left = append(left, c)
		}
	}
	return left
}

// validate says why prediction could not walk a structure, as decoded from bytes
// that somebody else wrote.
func (t *structure) validate() error {
	n, fail := len(t.nodes), fmt.Errorf
	switch {
	case n == 0 || n > math.MaxInt32:
		return fail("a tree of %d nodes", n)
	case t.features < 1:
		return fail("a tree of %d features", t.features)
	case t.rule != AtMost && t.rule != AtLeast:
		return fail("rule %d", int(t.rule))
	case t.levels != nil && len(t.levels) != t.features:
		return fail("%d levels for %d features", len(t.levels), t.features)
	case len(t.impurity) != n || len(t.samples) != n || len(t.weight) != n:
		return fail("columns of %d, %d and %d for %d nodes", len(t.impurity), len(t.samples), len(t.weight), n)
	case t.missing != (t.missLeft != nil) || t.missing && len(t.missLeft) != n:
		return fail("%d sides for missing values, %d nodes", len(t.missLeft), n)
	}
	for j, l := range t.levels {
		if l < 0 || l > math.MaxInt32 {
			return fail("%d levels in column %d", l, j)
		}
	}
	// Each node but the root has to be the child of exactly one node, in
	// preorder: walk it with the stack of right children to come.
	var due []int32
	for i, f := range t.nodes {
		if f.feature < -1 || int(f.feature) >= t.features {
			return fail("node %d tests feature %d of %d", i, f.feature, t.features)
		}
		if f.feature < 0 {
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
		if int(f.right) <= i+1 || int(f.right) >= n || len(due) > 0 && f.right >= due[len(due)-1] {
			return fail("node %d has right child %d", i, f.right)
		}
		due = append(due, f.right)
		if levels := t.levelsOf(f.feature); levels > 0 {
			if !(f.cut >= 0 && f.cut == math.Trunc(f.cut) && f.cut+float64(setWords(levels)) <= float64(len(t.sets))) {
				return fail("node %d has its categories at %v", i, f.cut)
			}
		} else if f.cut != f.cut {
			return fail("node %d has threshold NaN", i)
		}
	}
	return fail("the last of %d nodes is not a leaf", n)
}

// setWords is the length of a set of categories, with a place for missing.
func setWords(levels int) int { return (levels + 64) / 64 }

// CheckX returns the error that Predict would for X, or nil.
func (t *structure) CheckX(X mat.Matrix) error {
	if err := t.check(X); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	return nil
}
