package flattree

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

type described = fitted.Model

// A Classifier is a tree whose nodes have class distributions.
type Classifier struct {
	described
	tree          Tree
	distributions Distributions
}

// NewClassifier puts a classifier together.
func NewClassifier(t Tree, d Distributions) *Classifier {
	d.index()
	return &Classifier{tree: t, distributions: d}
}

// Tree returns the tests. They must not be changed.
func (m *Classifier) Tree() *Tree { return &m.tree }

// Distributions returns the class weights of the nodes. They must not be changed.
func (m *Classifier) Distributions() *Distributions { return &m.distributions }

// Predict returns for each row of X the most common class of its leaf.
func (m *Classifier) Predict(X mat.Matrix) ([]int, error) {
	if err := m.tree.Check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]int, n)
	m.tree.EachRow(X, func(i int, leaf int32) { y[i] = int(m.distributions.Class[leaf]) })
	return y, nil
}

// PredictProba returns for each row of X the shares of the classes in its leaf.
func (m *Classifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := m.tree.Check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	p := mat.NewDense(n, m.distributions.Classes, nil)
	m.tree.EachRow(X, func(i int, leaf int32) { m.distributions.AddShares(p.RawRowView(i), leaf) })
	return p, nil
}

// The methods below are for ensembles, which add up many trees. They check
// nothing but bounds: X has to be one that Check accepts.

// AddProba adds the class probabilities of rows lo to hi-1 of X to the same rows
// of dst, which has a column for each class.
func (m *Classifier) AddProba(dst, X *mat.Dense, lo, hi int) {
	raw := dst.RawMatrix()
	m.tree.EachLeaf(X, lo, hi, func(i int, leaf int32) {
		m.distributions.AddShares(raw.Data[i*raw.Stride:i*raw.Stride+raw.Cols], leaf)
	})
}

// AddVotes is AddProba for the predicted classes: it adds 1 for each.
func (m *Classifier) AddVotes(dst, X *mat.Dense, lo, hi int) {
	raw := dst.RawMatrix()
	m.tree.EachLeaf(X, lo, hi, func(i int, leaf int32) { raw.Data[i*raw.Stride+int(m.distributions.Class[leaf])]++ })
}

// AddLeafProba adds the class probabilities of the given leaves to the rows of dst
// from row lo on.
func (m *Classifier) AddLeafProba(dst *mat.Dense, lo int, leaves []int32) {
	raw := dst.RawMatrix()
	for k, leaf := range leaves {
		at := (lo + k) * raw.Stride
		m.distributions.AddShares(raw.Data[at:at+raw.Cols], leaf)
	}
}

// AddLeafVotes is AddLeafProba for the predicted classes: it adds 1 for each.
func (m *Classifier) AddLeafVotes(dst *mat.Dense, lo int, leaves []int32) {
	raw := dst.RawMatrix()
	for k, leaf := range leaves {
		raw.Data[(lo+k)*raw.Stride+int(m.distributions.Class[leaf])]++
	}
}

// PredictRows puts the predicted classes of rows lo to hi-1 of X in the same
// places of dst.
func (m *Classifier) PredictRows(dst []int, X *mat.Dense, lo, hi int) {
	if m.tree.simple() && len(m.tree.Nodes) == 3 {
		m.predictStump(dst, X, lo, hi)
		return
	}
	m.tree.EachLeaf(X, lo, hi, func(i int, leaf int32) { dst[i] = int(m.distributions.Class[leaf]) })
}

// predictStump is PredictRows for a root that is a plain comparison and two
// leaves, the members that AdaBoost has by default.
func (m *Classifier) predictStump(dst []int, X *mat.Dense, lo, hi int) {
	root := m.tree.Nodes[0]
	below, above := int(m.distributions.Class[1]), int(m.distributions.Class[2])
	raw := X.RawMatrix()
	at := lo*raw.Stride + int(root.Feature)
	for i := lo; i < hi; i++ {
		class := above
		if raw.Data[at] < root.Cut {
			class = below
		}
		dst[i] = class
		at += raw.Stride
	}
}
