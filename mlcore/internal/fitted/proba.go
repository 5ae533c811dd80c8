package fitted

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// Labels returns the class that a model predicts of each row of X. The model may be one
// that another wrote: an answer for more rows or fewer, another code than 0..classes-1 and
// a panic are errors.
func Labels(m mlcore.Classifier, X mat.Matrix, classes int) (y []int, err error) {
	defer par.Recover(&err)
	if y, err = m.Predict(X); err != nil {
		return nil, err
	}
	if err := answered(X, len(y)); err != nil {
		return nil, err
	}
	if err := mlcore.CheckLabels(y, len(y), classes); err != nil {
		return nil, fmt.Errorf("what the model predicts: %w", err)
	}
	return y, nil
}

// Numbers returns what a model predicts of each row of X, as [Labels] does.
func Numbers(m mlcore.Regressor, X mat.Matrix) (y []float64, err error) {
	defer par.Recover(&err)
	if y, err = m.Predict(X); err != nil {
		return nil, err
	}
	return y, answered(X, len(y))
}

// Probabilities returns those that a model gives the rows of X, as [Labels] does. They
// are n×classes, or narrower where its training rows lacked the highest classes.
func Probabilities(m mlcore.ProbClassifier, X mat.Matrix, classes int) (p *mat.Dense, err error) {
	defer par.Recover(&err)
	if p, err = m.PredictProba(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	rows, k := 0, 0
	if p != nil {
		rows, k = p.Dims()
	}
	if rows != n || k > classes {
		return nil, fmt.Errorf("%w: the model answered with %d×%d probabilities for %d rows and %d classes", mlcore.ErrShape, rows, k, n, classes)
	}
	return p, nil
}

// answered refuses another number of answers than X has rows.
func answered(X mat.Matrix, answers int) error {
	if n, _ := X.Dims(); answers != n {
		return fmt.Errorf("%w: the model answered for %d of %d rows", mlcore.ErrShape, answers, n)
	}
	return nil
}

// Proba returns the n×classes probabilities that a classifier gives the rows of X, 0 for
// the highest classes where its training rows lacked them. Errors are those of
// [Estimator] and [Labels].
func Proba(m mlcore.Classifier, X mat.Matrix, classes int) (*mat.Dense, error) {
	if k := m.NumClasses(); k > classes {
		return nil, fmt.Errorf("%w: the model has %d classes, the data %d", mlcore.ErrLabel, k, classes)
	}
	p, err := Estimator(m)
	if err != nil {
		return nil, err
	}
	proba, err := Probabilities(p, X, classes)
	if err != nil {
		return nil, err
	}
	n, k := proba.Dims()
	if k == classes {
		return proba, nil
	}
	padded := mat.NewDense(n, classes, nil)
	padded.Slice(0, n, 0, k).(*mat.Dense).Copy(proba)
	return padded, nil
}

// ProbaOrChoice is [Proba] for those who say that they take the class that a model
// predicts, with 1 for it and 0 for the others, where it estimates no probabilities.
func ProbaOrChoice(m mlcore.Classifier, X mat.Matrix, classes int) (*mat.Dense, error) {
	if _, err := Estimator(m); err == nil {
		return Proba(m, X, classes)
	}
	if k := m.NumClasses(); k > classes {
		return nil, fmt.Errorf("%w: the model has %d classes, the data %d", mlcore.ErrLabel, k, classes)
	}
	y, err := Labels(m, X, classes)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(len(y), classes, nil)
	for i, k := range y {
		out.Set(i, k, 1)
	}
	return out, nil
}
