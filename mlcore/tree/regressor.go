package tree

import (
	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A Regressor is a fitted regression tree. It is immutable and safe for
// concurrent use.
type Regressor struct {
	structure
	value []float64 // by node
}

var _ mlcore.Regressor = (*Regressor)(nil)

// Predict returns for each row of X the value of the leaf that it reaches: the
// weighted mean of the training targets there, or the median for
// AbsoluteError.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	if err := m.CheckX(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]float64, n)
	m.eachRow(X, func(i int, leaf int32) { y[i] = m.value[leaf] })
	return y, nil
}

// AddValues adds the predictions for rows lo to hi-1 of X to the same places of
// dst. Ensembles sum their trees with it. It checks nothing but bounds: X has to
// be one that Predict accepts.
func (m *Regressor) AddValues(dst []float64, X *mat.Dense, lo, hi int) {
	m.eachLeaf(X, lo, hi, func(i int, leaf int32) { dst[i] += m.value[leaf] })
}

// AddLeafValues adds the values of the given leaves to dst.
func (m *Regressor) AddLeafValues(dst []float64, leaves []int32) {
	for k, leaf := range leaves {
		dst[k] += m.value[leaf]
	}
}
