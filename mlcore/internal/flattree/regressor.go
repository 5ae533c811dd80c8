package flattree

import (
	"gonum.org/v1/gonum/mat"
)

// A Regressor is a tree whose nodes have values.
type Regressor struct {
	described
	tree   Tree
	values []float64
}

// NewRegressor puts a regressor together; values are by node.
func NewRegressor(t Tree, values []float64) *Regressor { return &Regressor{tree: t, values: values} }

// Tree returns the tests. They must not be changed.
func (m *Regressor) Tree() *Tree { return &m.tree }

// Values returns the values of the nodes. They must not be changed.
func (m *Regressor) Values() []float64 { return m.values }

// Predict returns for each row of X the value of its leaf.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	if err := m.tree.Check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]float64, n)
	m.tree.EachRow(X, func(i int, leaf int32) { y[i] = m.values[leaf] })
	return y, nil
}

// AddValues adds the predictions for rows lo to hi-1 of X to the same places of
// dst. It checks nothing but bounds: X has to be one that Check accepts.
func (m *Regressor) AddValues(dst []float64, X *mat.Dense, lo, hi int) {
	m.tree.EachLeaf(X, lo, hi, func(i int, leaf int32) { dst[i] += m.values[leaf] })
}

// AddLeafValues adds the values of the given leaves to dst.
func (m *Regressor) AddLeafValues(dst []float64, leaves []int32) {
	for k, leaf := range leaves {
		dst[k] += m.values[leaf]
	}
}
