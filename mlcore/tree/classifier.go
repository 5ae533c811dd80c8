package tree

import (
	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A Classifier is a fitted classification tree. It is immutable and safe for
// concurrent use.
type Classifier struct {
	structure
	distributions
}

var _ mlcore.ProbClassifier = (*Classifier)(nil)

// NumClasses is K: predictions are in 0..K-1.
func (m *Classifier) NumClasses() int { return m.classes }

// Predict returns for each row of X the commonest class, by weight, of the
// leaf that it reaches; the lowest such on a tie.
func (m *Classifier) Predict(X mat.Matrix) ([]int, error) {
	if err := m.CheckX(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]int, n)
	eachRow(X, 0, func(i int, x []float64) { y[i] = int(m.class[m.leaf(x)]) })
	return y, nil
}

// PredictProba returns an n×K matrix: for each row of X the shares of the
// classes, by weight, in the leaf that it reaches.
func (m *Classifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := m.CheckX(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	p := mat.NewDense(n, m.classes, nil)
	eachRow(X, 0, func(i int, x []float64) { m.addShares(p.RawRowView(i), m.leaf(x)) })
	return p, nil
}

// AddProba adds the class probabilities of rows lo to hi-1 of X to the same
// rows of dst, which has K columns. Ensembles sum their trees with it. It checks
// nothing but bounds: X has to be one that Predict accepts.
func (m *Classifier) AddProba(dst, X *mat.Dense, lo, hi int) {
	for i := lo; i < hi; i++ {
		m.addShares(dst.RawRowView(i), m.leaf(X.RawRowView(i)))
	}
}

// AddVotes is AddProba for the predicted classes: it adds 1 for each.
func (m *Classifier) AddVotes(dst, X *mat.Dense, lo, hi int) {
	for i := lo; i < hi; i++ {
		dst.RawRowView(i)[m.class[m.leaf(X.RawRowView(i))]]++
	}
}

// PredictRows puts the predicted classes of rows lo to hi-1 of X in the same
// places of dst. It checks nothing but bounds: X has to be one that Predict
// accepts.
func (m *Classifier) PredictRows(dst []int, X *mat.Dense, lo, hi int) {
	for i := lo; i < hi; i++ {
		dst[i] = int(m.class[m.leaf(X.RawRowView(i))])
	}
}
