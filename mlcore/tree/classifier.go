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
	m.eachRow(X, func(i int, leaf int32) { y[i] = int(m.class[leaf]) })
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
	m.eachRow(X, func(i int, leaf int32) { m.addShares(p.RawRowView(i), leaf) })
	return p, nil
}

// AddProba adds the class probabilities of rows lo to hi-1 of X to the same
// rows of dst, which has K columns. Ensembles sum their trees with it. It checks
// nothing but bounds: X has to be one that Predict accepts.
func (m *Classifier) AddProba(dst, X *mat.Dense, lo, hi int) {
	raw := dst.RawMatrix()
	m.eachLeaf(X, lo, hi, func(i int, leaf int32) {
		m.addShares(raw.Data[i*raw.Stride:i*raw.Stride+raw.Cols], leaf)
	})
}

// AddVotes is AddProba for the predicted classes: it adds 1 for each.
func (m *Classifier) AddVotes(dst, X *mat.Dense, lo, hi int) {
	raw := dst.RawMatrix()
	m.eachLeaf(X, lo, hi, func(i int, leaf int32) { raw.Data[i*raw.Stride+int(m.class[leaf])]++ })
}

// AddLeafProba adds the class probabilities of the given leaves to the rows of dst
// from row lo on.
func (m *Classifier) AddLeafProba(dst *mat.Dense, lo int, leaves []int32) {
	raw := dst.RawMatrix()
	for k, leaf := range leaves {
		at := (lo + k) * raw.Stride
		m.addShares(raw.Data[at:at+raw.Cols], leaf)
	}
}

// AddLeafVotes is AddLeafProba for the predicted classes: it adds 1 for each.
func (m *Classifier) AddLeafVotes(dst *mat.Dense, lo int, leaves []int32) {
	raw := dst.RawMatrix()
	for k, leaf := range leaves {
		raw.Data[(lo+k)*raw.Stride+int(m.class[leaf])]++
	}
}

// PredictRows puts the predicted classes of rows lo to hi-1 of X in the same
// places of dst. It checks nothing but bounds: X has to be one that Predict
// accepts.
func (m *Classifier) PredictRows(dst []int, X *mat.Dense, lo, hi int) {
	if m.simple() && len(m.nodes) == 3 {
		m.predictStump(dst, X, lo, hi)
		return
	}
	m.eachLeaf(X, lo, hi, func(i int, leaf int32) { dst[i] = int(m.class[leaf]) })
}

// predictStump is PredictRows for a root that is a plain comparison and two
// leaves, the members that AdaBoost has by default.
func (m *Classifier) predictStump(dst []int, X *mat.Dense, lo, hi int) {
	root := m.nodes[0]
	below, above := int(m.class[1]), int(m.class[2])
	raw := X.RawMatrix()
	at := lo*raw.Stride + int(root.feature)
	for i := lo; i < hi; i++ {
		class := above
		if raw.Data[at] < root.cut {
			class = below
		}
		dst[i] = class
		at += raw.Stride
	}
}
