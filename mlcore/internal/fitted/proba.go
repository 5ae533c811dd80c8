package fitted

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Proba returns the n×classes probabilities that any classifier gives the rows of X: 1
// for the class that it predicts where it estimates none, and 0 for the highest classes
// where its training rows lacked them.
func Proba(m mlcore.Classifier, X mat.Matrix, classes int) (*mat.Dense, error) {
	if k := m.NumClasses(); k > classes {
		return nil, fmt.Errorf("%w: the model has %d classes, the data %d", mlcore.ErrLabel, k, classes)
	}
	n, _ := X.Dims()
	p, ok := m.(mlcore.ProbClassifier)
	if !ok {
		y, err := m.Predict(X)
		if err != nil {
			return nil, err
		}
		if err := mlcore.CheckLabels(y, n, classes); err != nil {
			return nil, fmt.Errorf("what the model predicts: %w", err)
		}
		out := mat.NewDense(n, classes, nil)
		for i, k := range y {
			out.Set(i, k, 1)
		}
		return out, nil
	}
	proba, err := p.PredictProba(X)
	if err != nil {
		return nil, err
	}
	rows, k := proba.Dims()
	if rows != n || k > classes {
		return nil, fmt.Errorf("%w: the model answered with %d×%d probabilities for %d rows and %d classes", mlcore.ErrShape, rows, k, n, classes)
	}
	if k == classes {
		return proba, nil
	}
	padded := mat.NewDense(n, classes, nil)
	padded.Slice(0, n, 0, k).(*mat.Dense).Copy(proba)
	return padded, nil
}
