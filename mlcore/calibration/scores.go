package calibration

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

// columns is how many scores a row has: one for two classes that occur, which speaks for
// the higher, or one for each.
func (m *Classifier) columns() int {
	if len(m.present) == 2 {
		return 1
	}
	return len(m.present)
}

// head is the class that column j of the scores speaks for.
func (m *Classifier) head(j int) int { return m.present[len(m.present)-m.columns()+j] }

// scores returns what a classifier says for each class that occurs, n×columns.
func (m *Classifier) scores(model mlcore.Classifier, X mat.Matrix) (*mat.Dense, error) {
	scores, form, err := fitted.Scores(model, X)
	if err != nil {
		return nil, err
	}
	n, k := scores.Dims()
	last := m.present[len(m.present)-1]
	switch {
	case form == fitted.OneScore && len(m.present) == 2:
		return mat.DenseCopyOf(scores), nil
	case form == fitted.OneScore:
		return nil, fmt.Errorf("%w: a %T has scores for 2 classes, and rows are of %d; each fold has to train on rows of every class", mlcore.ErrShape, model, len(m.present))
	case k <= last:
		return nil, fmt.Errorf("%w: a %T has scores for %d classes and none for class %d; each fold has to train on rows of every class", mlcore.ErrShape, model, k, last)
	}
	out := mat.NewDense(n, m.columns(), nil)
	for i := range n {
		row, to := scores.RawRowView(i), out.RawRowView(i)
		for j := range to {
			to[j] = row[m.head(j)]
		}
		if len(to) == 1 && form == fitted.Decisions {
			to[0] -= row[m.present[0]]
		}
	}
	return out, nil
}
