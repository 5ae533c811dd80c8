package tree

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// A Regressor is a fitted regression tree. It is immutable and safe for
// concurrent use.
type Regressor flattree.Regressor

var _ mlcore.Regressor = (*Regressor)(nil)

func (m *Regressor) flat() *flattree.Regressor { return (*flattree.Regressor)(m) }

func (m *Regressor) tree() *flattree.Tree { return m.flat().Tree() }

func (m *Regressor) values() []float64 { return m.flat().Values() }

// Predict returns for each row of X the value of the leaf that it reaches: the
// weighted mean of the training targets there, or the median for AbsoluteError.
// [mlcore.Regressor] says what it does not check in X.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	y, err := m.flat().Predict(X)
	return y, named(err)
}

// NumFeatures is the number of columns that the tree was fitted with.
func (m *Regressor) NumFeatures() int { return m.tree().Features }

// Levels returns the number of categories of each column, 0 where it is numeric,
// or nil where all are.
func (m *Regressor) Levels() []int { return slices.Clone(m.tree().Levels) }

// AllowsMissing reports whether NaN is accepted.
func (m *Regressor) AllowsMissing() bool { return m.tree().Missing }

// NumNodes is the number of nodes, leaves included.
func (m *Regressor) NumNodes() int { return len(m.tree().Nodes) }

// NumLeaves is the number of leaves.
func (m *Regressor) NumLeaves() int { return m.tree().NumLeaves() }

// Depth is the greatest number of tests on the way to a leaf: 0 for a tree
// that is only a leaf.
func (m *Regressor) Depth() int { return m.tree().Depth() }

// Apply returns for each row of X the index of the leaf that it reaches.
func (m *Regressor) Apply(X mat.Matrix) ([]int, error) {
	leaves, err := m.tree().Apply(X)
	return leaves, named(err)
}

// DecisionPath returns for each row of X the indices of the nodes that it
// passes, from the root (0) to its leaf.
func (m *Regressor) DecisionPath(X mat.Matrix) ([][]int, error) {
	paths, err := m.tree().DecisionPath(X)
	return paths, named(err)
}

// FeatureImportances returns for each feature the share of the tree's whole
// decrease of impurity that its splits bring (Breiman et al., 1984); the shares
// sum to 1, or are all 0 where the tree has no split that helps.
func (m *Regressor) FeatureImportances() []float64 { return m.tree().FeatureImportances() }
