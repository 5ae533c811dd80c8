package tree

import (
	"container/heap"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// A PruningPath lists the trees that minimal cost-complexity pruning cuts a tree
// down to (Breiman et al., 1984, chapter 3): of all subtrees, the one that
// minimises R + alpha·leaves, for growing alpha. R is the sum over the leaves of
// impurity times share of the weight; for SquaredError that is the mean squared
// training error.
type PruningPath struct {
	// Alphas ascend from 0: tree k is the best from Alphas[k] to Alphas[k+1].
	Alphas []float64
	// Impurities holds R of each tree.
	Impurities []float64
	// Leaves holds the number of leaves of each tree; the last tree has one
	// leaf.
	Leaves []int
}

// A weakLink is an inner node and what keeping its subtree costs a leaf.
type weakLink struct {
	g    float64
	node int32
}

type weakLinks []weakLink

func (h weakLinks) Len() int      { return len(h) }
func (h weakLinks) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h weakLinks) Less(i, j int) bool {
	if h[i].g != h[j].g {
		return h[i].g < h[j].g
	}
	return h[i].node < h[j].node
}
func (h *weakLinks) Push(x any) { *h = append(*h, x.(weakLink)) }
func (h *weakLinks) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// weakestLinks collapses the inner node whose subtree lowers R least for each
// leaf, again and again, and calls visit after each with its g and the R and
// leaves that are left. It ends before a node of whose g stop reports true, or when only
// the root is left, and returns which nodes were collapsed. Before the first, visit is
// called with g = 0.
func weakestLinks(t *flattree.Tree, visit func(g, r float64, leaves int), stop func(g float64) bool) []bool {
	n := len(t.Nodes)
	own, below, leaves, parent := make([]float64, n), make([]float64, n), make([]int, n), make([]int32, n)
	parent[0] = -1
	for i := n - 1; i >= 0; i-- {
		own[i] = t.Impurity[i] * t.Weight[i] / t.Weight[0]
		if f := t.Nodes[i]; f.Feature < 0 {
			below[i], leaves[i] = own[i], 1
		} else {
			l, r := int32(i+1), f.Right
			below[i], leaves[i] = below[l]+below[r], leaves[l]+leaves[r]
			parent[l], parent[r] = int32(i), int32(i)
		}
	}
	g := func(i int32) float64 { return (own[i] - below[i]) / float64(leaves[i]-1) }
	collapsed, gone, current := make([]bool, n), make([]bool, n), make([]float64, n)
	var queue weakLinks
	for i := range t.Nodes {
		if t.Nodes[i].Feature >= 0 {
			current[i] = g(int32(i))
			queue = append(queue, weakLink{current[i], int32(i)})
		}
	}
	heap.Init(&queue)
	visit(0, below[0], leaves[0])
	for len(queue) > 0 {
		link := heap.Pop(&queue).(weakLink)
		i := link.node
		if gone[i] || collapsed[i] {
			continue
		}
		if link.g != current[i] { // its subtree has changed since
			if link.g < current[i] {
				heap.Push(&queue, weakLink{current[i], i})
			}
			continue
		}
		if stop(link.g) {
			break
		}
		collapsed[i] = true
		// What is below the node is a run of preorder.
		for k, open := i+1, 2; open > 0; k++ {
			gone[k] = true
			if t.Nodes[k].Feature < 0 {
				open--
			} else {
				open++
			}
		}
		fewer, change := leaves[i]-1, own[i]-below[i]
		for a := i; a >= 0; a = parent[a] {
			leaves[a] -= fewer
			below[a] += change
			if a == i {
				continue
			}
			// It rises, as the links taken away are weaker than the whole: the place
			// in the queue is early enough. By rounding it may fall.
			was := current[a]
			if current[a] = g(a); current[a] < was {
				heap.Push(&queue, weakLink{current[a], a})
			}
		}
		visit(link.g, below[0], leaves[0])
	}
	return collapsed
}

// PruningPath returns the whole path from the tree itself to its root. Steps
// whose alphas differ by rounding are one.
func (m *Classifier) PruningPath() PruningPath { return pruningPath(m.tree()) }

// PruningPath returns the whole path from the tree itself to its root. Steps
// whose alphas differ by rounding are one.
func (m *Regressor) PruningPath() PruningPath { return pruningPath(m.tree()) }

func pruningPath(t *flattree.Tree) PruningPath {
	var p PruningPath
	if len(t.Nodes) == 0 {
		return p // of a tree that is not fitted
	}
	tol := 1e-12 * t.Impurity[0]
	weakestLinks(t, func(g, r float64, leaves int) {
		last := len(p.Alphas) - 1
		if last >= 0 && g <= p.Alphas[last]+tol {
			p.Impurities[last], p.Leaves[last] = r, leaves
		} else {
			p.Alphas, p.Impurities, p.Leaves = append(p.Alphas, g), append(p.Impurities, r), append(p.Leaves, leaves)
		}
	}, func(float64) bool { return false })
	return p
}

// collapse returns the tree in which the given nodes are leaves, and the places
// of its nodes in t.
func collapse(t *flattree.Tree, collapsed []bool) (flattree.Tree, []int32) {
	return t.Rearranged(func(i int32) (left, right int32) {
		if t.Nodes[i].Feature < 0 || collapsed[i] {
			return -1, -1
		}
		return i + 1, t.Nodes[i].Right
	})
}

func cheapest(t *flattree.Tree, alpha float64) ([]bool, error) {
	if len(t.Nodes) == 0 {
		return nil, named(mlcore.ErrNotFitted)
	}
	if !(alpha >= 0) {
		return nil, fmt.Errorf("tree: %w: alpha is %v; it is not negative", mlcore.ErrConfig, alpha)
	}
	tol := 1e-12 * t.Impurity[0]
	return weakestLinks(
		t,
		func(float64, float64, int) {},
		func(g float64) bool { return g > alpha+tol },
	), nil
}

// Prune returns the smallest subtree that minimises R + alpha·leaves; see
// [PruningPath]. A negative alpha is an error that wraps [mlcore.ErrConfig].
func (m *Classifier) Prune(alpha float64) (*Classifier, error) {
	collapsed, err := cheapest(m.tree(), alpha)
	if err != nil {
		return nil, err
	}
	return m.without(collapsed), nil
}

// Prune returns the smallest subtree that minimises R + alpha·leaves; see
// [PruningPath]. A negative alpha is an error that wraps [mlcore.ErrConfig].
func (m *Regressor) Prune(alpha float64) (*Regressor, error) {
	collapsed, err := cheapest(m.tree(), alpha)
	if err != nil {
		return nil, err
	}
	return m.without(collapsed), nil
}

func (m *Classifier) without(collapsed []bool) *Classifier {
	t, order := collapse(m.tree(), collapsed)
	return (*Classifier)(fitted.Like(m, flattree.NewClassifier(t, m.distributions().Pick(order))))
}

func (m *Regressor) without(collapsed []bool) *Regressor {
	t, order := collapse(m.tree(), collapsed)
	return (*Regressor)(fitted.Like(m, flattree.NewRegressor(t, given.Pick(m.values(), order))))
}

// PruneReducedError returns the tree without the subtrees that do not lower the
// error on validation data: from the bottom up each is replaced by a leaf if the
// weight of misclassified rows does not rise (Quinlan, 1987, "Simplifying
// decision trees"). w is nil or holds the rows' weights.
func (m *Classifier) PruneReducedError(X mat.Matrix, y []int, w []float64) (*Classifier, error) {
	if err := checkValidation(m.tree(), X, w); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := mlcore.CheckLabels(y, n, m.NumClasses()); err != nil {
		return nil, named(err)
	}
	return m.without(reduced(m.tree(), X, w, func(row int, node int32) float64 {
		if int(m.distributions().Class[node]) == y[row] {
			return 0
		}
		return 1
	})), nil
}

// PruneReducedError is like that of [Classifier], with the squared error.
func (m *Regressor) PruneReducedError(X mat.Matrix, y, w []float64) (*Regressor, error) {
	if err := checkValidation(m.tree(), X, w); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := mlcore.CheckTargets(y, n); err != nil {
		return nil, named(err)
	}
	return m.without(reduced(m.tree(), X, w, func(row int, node int32) float64 {
		e := y[row] - m.values()[node]
		return e * e
	})), nil
}

func checkValidation(t *flattree.Tree, X mat.Matrix, w []float64) error {
	if err := t.Check(X); err != nil {
		return named(err)
	}
	n, _ := X.Dims()
	return named(mlcore.CheckWeights(w, n))
}

// reduced finds the nodes to collapse; loss is that of a row if the given node
// were its leaf.
func reduced(t *flattree.Tree, X mat.Matrix, w []float64, loss func(row int, node int32) float64) []bool {
	own := make([]float64, len(t.Nodes))
	rows, _ := X.Dims()
	read := given.Rows(X)
	for r := range rows {
		weight := given.Weight(w, r)
		t.EachStep(read(r), func(i int32) { own[i] += float64(weight * loss(r, i)) })
	}
	collapsed := make([]bool, len(t.Nodes))
	best := make([]float64, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		best[i] = own[i]
		if f := t.Nodes[i]; f.Feature >= 0 {
			if below := best[i+1] + best[f.Right]; own[i] <= below+float64(1e-12*math.Abs(below)) {
				collapsed[i] = true
			} else {
				best[i] = below
			}
		}
	}
	return collapsed
}
