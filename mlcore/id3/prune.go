package id3

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// PruneReducedError returns the tree without the subtrees that do not lower the
// error on validation data: from the bottom up each is replaced by a leaf if the
// weight of misclassified rows does not rise (Quinlan, 1987, "Simplifying
// decision trees"). w is nil or holds the rows' weights.
func (m *Model) PruneReducedError(X mat.Matrix, y []int, w []float64) (*Model, error) {
	if err := m.check(X); err != nil {
		return nil, err
	}
	rows, _ := X.Dims()
	if err := mlcore.CheckLabels(y, rows, m.distributions.Classes); err != nil {
		return nil, fmt.Errorf("id3: %w", err)
	}
	if err := mlcore.CheckWeights(w, rows); err != nil {
		return nil, fmt.Errorf("id3: %w", err)
	}
	// Errors of each node's class on the rows that pass, and on those that stop
	// there because no branch fits.
	own, here := make([]float64, m.NumNodes()), make([]float64, m.NumNodes())
	read := given.Rows(X)
	for r := range rows {
		x := read(r)
		for i := int32(0); i >= 0; {
			wrong := 0.0
			if int(m.distributions.Class[i]) != y[r] {
				wrong = given.Weight(w, r)
			}
			own[i] += wrong
			if m.feature[i] < 0 {
				break
			}
			next := m.child(i, x)
			if next < 0 {
				here[i] += wrong
			}
			i = next
		}
	}
	best, collapsed := slices.Clone(own), make([]bool, m.NumNodes())
	for i := m.NumNodes() - 1; i >= 0; i-- {
		if m.feature[i] < 0 {
			continue
		}
		below := here[i]
		for _, c := range m.branches(i) {
			if c >= 0 {
				below += best[c]
			}
		}
		if own[i] <= below+float64(1e-12*below) {
			collapsed[i] = true
		} else {
			best[i] = below
		}
	}
	return m.without(collapsed), nil
}

// without returns the tree in which the given nodes are leaves.
func (m *Model) without(collapsed []bool) *Model {
	p := &Model{described: m.described, levels: m.levels, missing: m.missing}
	var order []int32
	var visit func(i int32) int32
	visit = func(i int32) int32 {
		id := int32(len(order))
		order = append(order, i)
		p.feature, p.kids = append(p.feature, -1), append(p.kids, -1)
		if m.feature[i] < 0 || collapsed[i] {
			return id
		}
		first := len(p.children)
		p.feature[id], p.kids[id] = m.feature[i], int32(first)
		kids := m.branches(int(i))
		for range kids {
			p.children = append(p.children, -1)
		}
		for c, k := range kids {
			if k >= 0 {
				child := visit(k)
				p.children[first+c] = child
			}
		}
		return id
	}
	visit(0)
	p.impurity, p.samples, p.weight = given.Pick(m.impurity, order), given.Pick(m.samples, order), given.Pick(m.weight, order)
	p.distributions = m.distributions.Pick(order)
	return p
}
