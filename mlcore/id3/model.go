package id3

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

type described = fitted.Model

// A Model is a fitted multiway tree. It is immutable and safe for concurrent use.
type Model struct {
	described
	levels   []int
	missing  bool
	feature  []int32 // by node, in preorder; -1 at a leaf
	kids     []int32 // where the node's children begin in children
	children []int32 // a node for each code, -1 where training had none
	impurity []float64
	samples  []int32
	weight   []float64

	distributions flattree.Distributions
}

var _ mlcore.ProbClassifier = (*Model)(nil)

// width is the number of branches of a test on column j.
func (m *Model) width(j int) int {
	if m.missing {
		return m.levels[j] + 1
	}
	return m.levels[j]
}

// stop returns the node whose class row x gets: its leaf, or the node at which
// x has a value that training did not have there.
func (m *Model) stop(x []float64) int32 {
	i := int32(0)
	for m.feature[i] >= 0 {
		next := m.child(i, x)
		if next < 0 {
			break
		}
		i = next
	}
	return i
}

func (m *Model) child(i int32, x []float64) int32 {
	j := m.feature[i]
	code := m.levels[j]
	if v := x[j]; v == v {
		code = int(v)
	}
	return m.children[int(m.kids[i])+code]
}

// check validates X for prediction.
func (m *Model) check(X mat.Matrix) error {
	err := mlcore.CheckFeatures(X, len(m.levels))
	if err == nil {
		err = mlcore.CheckMatrix(X, m.missing)
	}
	if err == nil {
		err = mlcore.CheckLevels(X, m.levels)
	}
	if err != nil {
		return fmt.Errorf("id3: %w", err)
	}
	return nil
}

// eachRow calls f with each row of X; blocks of rows run in parallel.
func (m *Model) eachRow(X mat.Matrix, f func(i int, x []float64)) {
	n, _ := X.Dims()
	x := given.Dense(X)
	par.Sure(par.Chunks(n, 1024, 0, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			f(i, x.RawRowView(i))
		}
		return nil
	}))
}

// NumFeatures is the number of columns that the tree was fitted with.
func (m *Model) NumFeatures() int { return len(m.levels) }

// NumClasses is K: predictions are in 0..K-1.
func (m *Model) NumClasses() int { return m.distributions.Classes }

// Predict returns for each row of X the most common class, by weight, of the leaf
// that it reaches; the lowest on a tie. Where a row has a value that training did
// not have at a node, the prediction is the most common class of that node. A code
// outside the levels is an error that wraps [mlcore.ErrLevel]. [mlcore.Classifier]
// says what it does not check in X.
func (m *Model) Predict(X mat.Matrix) ([]int, error) {
	if err := m.check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]int, n)
	m.eachRow(X, func(i int, x []float64) { y[i] = int(m.distributions.Class[m.stop(x)]) })
	return y, nil
}

// PredictProba returns an n×K matrix: the shares of the classes, by weight, in
// the node that decides the prediction.
func (m *Model) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := m.check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	p := mat.NewDense(n, m.distributions.Classes, nil)
	m.eachRow(X, func(i int, x []float64) { m.distributions.AddShares(p.RawRowView(i), m.stop(x)) })
	return p, nil
}

// Apply returns for each row of X the index of the node that decides the
// prediction.
func (m *Model) Apply(X mat.Matrix) ([]int, error) {
	if err := m.check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	nodes := make([]int, n)
	m.eachRow(X, func(i int, x []float64) { nodes[i] = int(m.stop(x)) })
	return nodes, nil
}

// NumNodes is the number of nodes, leaves included.
func (m *Model) NumNodes() int { return len(m.feature) }

// NumLeaves is the number of leaves.
func (m *Model) NumLeaves() int {
	k := 0
	for _, j := range m.feature {
		if j < 0 {
			k++
		}
	}
	return k
}

// Depth is the greatest number of tests on the way to a leaf.
func (m *Model) Depth() int {
	deepest := 0
	depth := make([]int, len(m.feature))
	for i := range m.feature {
		deepest = max(deepest, depth[i])
		for _, c := range m.branches(i) {
			if c >= 0 {
				depth[c] = depth[i] + 1
			}
		}
	}
	return deepest
}

// branches returns node i's children by code, -1 where there is none.
func (m *Model) branches(i int) []int32 {
	if m.feature[i] < 0 {
		return nil
	}
	at := int(m.kids[i])
	return m.children[at : at+m.width(int(m.feature[i]))]
}

// FeatureImportances returns for each feature the share of the tree's whole
// information gain that its tests bring; the shares sum to 1, or are all 0.
func (m *Model) FeatureImportances() []float64 {
	imp, sum := make([]float64, len(m.levels)), 0.0
	for i, j := range m.feature {
		if j < 0 {
			continue
		}
		gain := float64(m.weight[i] * m.impurity[i])
		for _, c := range m.branches(i) {
			if c >= 0 {
				gain -= float64(m.weight[c] * m.impurity[c])
			}
		}
		gain = max(gain, 0)
		imp[j] += gain
		sum += gain
	}
	if sum > 0 {
		for j := range imp {
			imp[j] /= sum
		}
	}
	return imp
}
