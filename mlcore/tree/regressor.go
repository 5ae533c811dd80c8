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
	if err := m.check(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]float64, n)
	eachRow(X, 0, func(i int, x []float64) { y[i] = m.ValueOf(x) })
	return y, nil
}

// ValueOf is the prediction for the row x. It checks nothing: x has to be a row
// that Predict accepts.
func (m *Regressor) ValueOf(x []float64) float64 { return m.value[m.leaf(x)] }
