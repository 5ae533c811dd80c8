package flattree

import (
	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// simple reports whether every test is a plain comparison.
func (t *Tree) simple() bool { return !t.Missing && t.Levels == nil }

// Check validates X for prediction.
func (t *Tree) Check(X mat.Matrix) error {
	if err := mlcore.CheckFeatures(X, t.Features); err != nil {
		return err
	}
	if err := mlcore.CheckMatrix(X, t.Missing); err != nil {
		return err
	}
	return mlcore.CheckLevels(X, t.Levels)
}

// leaf returns the leaf that row x reaches.
func (t *Tree) leaf(x []float64) int32 {
	if !t.simple() {
		return t.leafAny(x)
	}
	i := int32(0)
	for {
		n := &t.Nodes[i]
		if n.Feature < 0 {
			return i
		}
		i++
		if !(x[n.Feature] < n.Cut) {
			i = n.Right
		}
	}
}

// lanes is how many rows are walked in step: enough to keep the processor busy
// while each waits for its next node.
const lanes = 8

// leaves puts the leaves of the lanes rows of X from row lo on in at, after at most the
// given number of steps. All tests have to be plain comparisons.
func (t *Tree) leaves(at *[lanes]int32, X *mat.Dense, lo, steps int) {
	raw := X.RawMatrix()
	data := raw.Data[lo*raw.Stride:]
	nodes, stride := t.Nodes, raw.Stride
	*at = [lanes]int32{}
	for range steps {
		moved, row := int32(0), 0
		for k := range lanes {
			i := at[k]
			n := &nodes[i]
			// A leaf looks at column 0, whatever is there.
			j := row + int(n.Feature&^(n.Feature>>31))
			row += stride
			next := n.Right
			if data[j] < n.Cut {
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

// steps is at least how many steps lead from the root to any leaf. Of a small tree it is just
// that many, which saves the step that finds all rows in their leaves.
func (t *Tree) steps() int {
	const small = 31 // nodes
	if len(t.Nodes) > small {
		return len(t.Nodes)
	}
	var depth [small]int
	deepest := 0
	for i, n := range t.Nodes {
		if n.Feature >= 0 {
			below := depth[i] + 1
			depth[i+1], depth[n.Right], deepest = below, below, max(deepest, below)
		}
	}
	return deepest
}

// leavesFrom puts the leaves of rows of X, from row lo on, in at.
func (t *Tree) leavesFrom(at []int32, X *mat.Dense, lo int) {
	if t.simple() {
		for steps := t.steps(); len(at) >= lanes; at = at[lanes:] {
			t.leaves((*[lanes]int32)(at), X, lo, steps)
			lo += lanes
		}
	}
	for k := range at {
		at[k] = t.leaf(X.RawRowView(lo + k))
	}
}

// EachLeaf calls f with the rows lo to hi-1 of X and their leaves.
func (t *Tree) EachLeaf(X *mat.Dense, lo, hi int, f func(i int, leaf int32)) {
	var room [16 * lanes]int32
	for ; lo < hi; lo += len(room) {
		at := room[:min(len(room), hi-lo)]
		t.leavesFrom(at, X, lo)
		for k, leaf := range at {
			f(lo+k, leaf)
		}
	}
}

func (t *Tree) leafAny(x []float64) int32 {
	i := int32(0)
	for t.Nodes[i].Feature >= 0 {
		i = t.next(i, x)
	}
	return i
}

// next returns the child of node i, a test, that row x goes to.
func (t *Tree) next(i int32, x []float64) int32 {
	if t.goesLeft(i, x) {
		return i + 1
	}
	return t.Nodes[i].Right
}

// goesLeft answers the test of node i for row x.
func (t *Tree) goesLeft(i int32, x []float64) bool {
	n := &t.Nodes[i]
	v := x[n.Feature]
	if levels := t.LevelsOf(n.Feature); levels > 0 {
		code := levels // the place of missing values
		if v == v {
			code = int(v)
		}
		return t.Holds(n, code)
	}
	if v != v {
		return t.MissingLeft[i]
	}
	return v < n.Cut
}

// EachRow calls f with each row of X and its leaf; blocks of rows run in
// parallel. X has passed Check.
func (t *Tree) EachRow(X mat.Matrix, f func(i int, leaf int32)) {
	n, _ := X.Dims()
	x := given.Dense(X)
	par.Sure(par.Chunks(n, 2048, 0, func(lo, hi int) error {
		t.EachLeaf(x, lo, hi, f)
		return nil
	}))
}

// Apply returns for each row of X the index of the leaf that it reaches.
func (t *Tree) Apply(X mat.Matrix) ([]int, error) {
	if err := t.Check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	leaves := make([]int, n)
	t.EachRow(X, func(i int, leaf int32) { leaves[i] = int(leaf) })
	return leaves, nil
}

// DecisionPath returns for each row of X the indices of the nodes that it
// passes, from the root (0) to its leaf.
func (t *Tree) DecisionPath(X mat.Matrix) ([][]int, error) {
	if err := t.Check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	paths := make([][]int, n)
	read := given.Rows(X)
	for r := range paths {
		t.EachStep(read(r), func(i int32) { paths[r] = append(paths[r], int(i)) })
	}
	return paths, nil
}

// EachStep calls f with the nodes that row x passes, from the root to its leaf.
func (t *Tree) EachStep(x []float64, f func(i int32)) {
	for i := int32(0); ; {
		f(i)
		if t.Nodes[i].Feature < 0 {
			return
		}
		i = t.next(i, x)
	}
}
