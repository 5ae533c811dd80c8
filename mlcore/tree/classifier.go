package tree

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// A Classifier is a fitted classification tree. It is immutable and safe for
// concurrent use.
type Classifier flattree.Classifier

var _ mlcore.ProbClassifier = (*Classifier)(nil)

func (m *Classifier) flat() *flattree.Classifier { return (*flattree.Classifier)(m) }

func (m *Classifier) tree() *flattree.Tree { return m.flat().Tree() }

func (m *Classifier) distributions() *flattree.Distributions { return m.flat().Distributions() }

// NumClasses is K: predictions are in 0..K-1.
func (m *Classifier) NumClasses() int { return m.distributions().Classes }

// Predict returns for each row of X the most common class, by weight, of the leaf
// that it reaches; the lowest on a tie. [mlcore.Classifier] says what it does not
// check in X.
func (m *Classifier) Predict(X mat.Matrix) ([]int, error) {
	y, err := m.flat().Predict(X)
	return y, named(err)
}

// PredictProba returns an n×K matrix: for each row of X the shares of the
// classes, by weight, in the leaf that it reaches.
func (m *Classifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	p, err := m.flat().PredictProba(X)
	return p, named(err)
}

// NumFeatures is the number of columns that the tree was fitted with.
func (m *Classifier) NumFeatures() int { return m.tree().Features }

// Levels returns the number of categories of each column, 0 where it is numeric,
// or nil where all are.
func (m *Classifier) Levels() []int { return slices.Clone(m.tree().Levels) }

// AllowsMissing reports whether NaN is accepted.
func (m *Classifier) AllowsMissing() bool { return m.tree().Missing }

// NumNodes is the number of nodes, leaves included.
func (m *Classifier) NumNodes() int { return len(m.tree().Nodes) }

// NumLeaves is the number of leaves.
func (m *Classifier) NumLeaves() int { return m.tree().NumLeaves() }

// Depth is the greatest number of tests on the way to a leaf: 0 for a tree
// that is only a leaf.
func (m *Classifier) Depth() int { return m.tree().Depth() }

// Apply returns for each row of X the index of the leaf that it reaches.
func (m *Classifier) Apply(X mat.Matrix) ([]int, error) {
	leaves, err := m.tree().Apply(X)
	return leaves, named(err)
}

// DecisionPath returns for each row of X the indices of the nodes that it
// passes, from the root (0) to its leaf.
func (m *Classifier) DecisionPath(X mat.Matrix) ([][]int, error) {
	paths, err := m.tree().DecisionPath(X)
	return paths, named(err)
}

// FeatureImportances returns for each feature the share of the tree's whole
// decrease of impurity that its splits bring (Breiman et al., 1984); the shares
// sum to 1, or are all 0 where the tree has no split that helps.
func (m *Classifier) FeatureImportances() []float64 { return m.tree().FeatureImportances() }
