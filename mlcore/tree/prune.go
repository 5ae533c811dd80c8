package tree

import (
	"container/heap"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
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
	// Leaves holds the number of leaves of each tree; the last has one.
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
// leaves that are left. It ends when visit reports false or only the root is
// left, and returns which nodes were collapsed. Before the first, visit is
// called with g = 0.
func (t *structure) weakestLinks(visit func(g, r float64, leaves int) bool, stop func(g float64) bool) []bool {
	n := len(t.nodes)
	own, below, leaves, parent := make([]float64, n), make([]float64, n), make([]int, n), make([]int32, n)
	parent[0] = -1
	for i := n - 1; i >= 0; i-- {
		own[i] = t.impurity[i] * t.weight[i] / t.weight[0]
		if f := t.nodes[i]; f.feature < 0 {
			below[i], leaves[i] = own[i], 1
		} else {
			l, r := int32(i+1), f.right
			below[i], leaves[i] = below[l]+below[r], leaves[l]+leaves[r]
			parent[l], parent[r] = int32(i), int32(i)
		}
	}
	g := func(i int32) float64 { return (own[i] - below[i]) / float64(leaves[i]-1) }
	collapsed, gone, current := make([]bool, n), make([]bool, n), make([]float64, n)
	var queue weakLinks
	for i := range t.nodes {
		if t.nodes[i].feature >= 0 {
			current[i] = g(int32(i))
			queue = append(queue, weakLink{current[i], int32(i)})
		}
	}
	heap.Init(&queue)
	if !visit(0, below[0], leaves[0]) {
		return collapsed
	}
	for len(queue) > 0 {
		link := heap.Pop(&queue).(weakLink)
		i := link.node
		if gone[i] || collapsed[i] || link.g != current[i] {
			continue // its subtree has changed since
		}
		if stop(link.g) {
			break
		}
		collapsed[i] = true
		// What is below the node is a run of preorder.
		for k, open := i+1, 2; open > 0; k++ {
			gone[k] = true
			if t.nodes[k].feature < 0 {
				open--
			} else {
				open++
			}
		}
		fewer, change := leaves[i]-1, own[i]-below[i]
		for a := i; a >= 0; a = parent[a] {
			leaves[a] -= fewer
			below[a] += change
			if a != i {
				current[a] = g(a)
				heap.Push(&queue, weakLink{current[a], a})
			}
		}
		if !visit(link.g, below[0], leaves[0]) {
			break
		}
	}
	return collapsed
}

// PruningPath returns the whole path from the tree itself to its root. Steps
// whose alphas differ by rounding are one.
func (t *structure) PruningPath() PruningPath {
	var p PruningPath
	tol := 1e-12 * t.impurity[0]
	t.weakestLinks(func(g, r float64, leaves int) bool {
		last := len(p.Alphas) - 1
		if last >= 0 && g <= p.Alphas[last]+tol {
			p.Impurities[last], p.Leaves[last] = r, leaves
		} else {
			p.Alphas, p.Impurities, p.Leaves = append(p.Alphas, g), append(p.Impurities, r), append(p.Leaves, leaves)
		}
		return true
	}, func(float64) bool { return false })
	return p
}

// collapse returns the nodes that are left when some become leaves, and the
// structure of these.
func (t *structure) collapse(collapsed []bool) (structure, []int32) {
	var order []int32
	place := make([]int32, len(t.nodes))
	stack := []int32{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		place[i] = int32(len(order))
		order = append(order, i)
		if t.nodes[i].feature >= 0 && !collapsed[i] {
			stack = append(stack, t.nodes[i].right, i+1)
		}
	}
	p := *t
	p.nodes = given.Pick(t.nodes, order)
	for k, i := range order {
		if p.nodes[k].feature < 0 || collapsed[i] {
			p.nodes[k] = leafNode(int32(k))
		} else {
			p.nodes[k].right = place[p.nodes[k].right]
		}
	}
	p.impurity, p.samples, p.weight = given.Pick(t.impurity, order), given.Pick(t.samples, order), given.Pick(t.weight, order)
	p.missLeft = given.Pick(t.missLeft, order)
	return p, order
}

func (t *structure) cheapest(alpha float64) ([]bool, error) {
	if !(alpha >= 0) {
		return nil, fmt.Errorf("tree: %w: alpha is %v; it is not negative", mlcore.ErrConfig, alpha)
	}
	tol := 1e-12 * t.impurity[0]
	return t.weakestLinks(
		func(float64, float64, int) bool { return true },
		func(g float64) bool { return g > alpha+tol },
	), nil
}

// Prune returns the smallest subtree that minimises R + alpha·leaves; see
// [PruningPath]. A negative alpha is an error that wraps [mlcore.ErrConfig].
func (m *Classifier) Prune(alpha float64) (*Classifier, error) {
	collapsed, err := m.cheapest(alpha)
	if err != nil {
		return nil, err
	}
	return m.without(collapsed), nil
}

// Prune returns the smallest subtree that minimises R + alpha·leaves; see
// [PruningPath]. A negative alpha is an error that wraps [mlcore.ErrConfig].
func (m *Regressor) Prune(alpha float64) (*Regressor, error) {
	collapsed, err := m.cheapest(alpha)
	if err != nil {
		return nil, err
	}
	return m.without(collapsed), nil
}

func (m *Classifier) without(collapsed []bool) *Classifier {
	s, order := m.collapse(collapsed)
	return &Classifier{structure: s, distributions: m.distributions.pick(order)}
}

func (m *Regressor) without(collapsed []bool) *Regressor {
	s, order := m.collapse(collapsed)
	return &Regressor{structure: s, value: given.Pick(m.value, order)}
}

// PruneReducedError returns the tree without the subtrees that do not lower the
// error on validation data: from the bottom up each is replaced by a leaf if the
// weight of misclassified rows does not rise (Quinlan, 1987, "Simplifying
// decision trees"). w is nil or holds the rows' weights.
func (m *Classifier) PruneReducedError(X mat.Matrix, y []int, w []float64) (*Classifier, error) {
	if err := m.checkValidation(X, w); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := mlcore.CheckLabels(y, n, m.classes); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	return m.without(m.reduced(X, w, func(row int, node int32) float64 {
		if int(m.class[node]) == y[row] {
			return 0
		}
		return 1
	})), nil
}

// PruneReducedError is that of [Classifier] with the squared error.
func (m *Regressor) PruneReducedError(X mat.Matrix, y, w []float64) (*Regressor, error) {
	if err := m.checkValidation(X, w); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := mlcore.CheckTargets(y, n); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	return m.without(m.reduced(X, w, func(row int, node int32) float64 {
		e := y[row] - m.value[node]
		return e * e
	})), nil
}

func (t *structure) checkValidation(X mat.Matrix, w []float64) error {
	if err := t.CheckX(X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if err := mlcore.CheckWeights(w, n); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	return nil
}

// reduced finds the nodes to collapse; loss is that of a row if the given node
// were its leaf.
func (t *structure) reduced(X mat.Matrix, w []float64, loss func(row int, node int32) float64) []bool {
	own := make([]float64, len(t.nodes))
	rows, _ := X.Dims()
	read := given.Rows(X)
	for r := range rows {
		x, weight := read(r), given.Weight(w, r)
		for i := int32(0); ; {
			own[i] += float64(weight * loss(r, i))
			if t.nodes[i].feature < 0 {
				break
			}
			if t.goesLeft(i, x) {
				i++
			} else {
				i = t.nodes[i].right
			}
		}
	}
	collapsed := make([]bool, len(t.nodes))
	best := make([]float64, len(t.nodes))
	for i := len(t.nodes) - 1; i >= 0; i-- {
		best[i] = own[i]
		if f := t.nodes[i]; f.feature >= 0 {
			if below := best[i+1] + best[f.right]; own[i] <= below+float64(1e-12*math.Abs(below)) {
				collapsed[i] = true
			} else {
				best[i] = below
			}
		}
	}
	return collapsed
}
