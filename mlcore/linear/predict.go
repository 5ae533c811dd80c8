package linear

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/hyperplane"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// checkQueries refuses queries that a model of so many features does not take, and
// returns their number.
func checkQueries(X mat.Matrix, features int) (int, error) {
	if err := mlcore.CheckFeatures(X, features); err != nil {
		return 0, fmt.Errorf("linear: %w", err)
	}
	n, _ := X.Dims()
	return n, nil
}

// newMatrix returns an n×k matrix, empty if one of them is 0.
func newMatrix(n, k int, data []float64) *mat.Dense {
	if n == 0 || k == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(n, k, data)
}

type described = fitted.Model

// A surface is what all regressors are: intercept + coef·x.
type surface struct {
	described
	coef      []float64
	intercept float64
	workers   int
}

// NumFeatures is the number of columns that the model was fitted with.
func (s *surface) NumFeatures() int { return len(s.coef) }

// Coef returns the d coefficients, in the units of y per unit of the column.
func (s *surface) Coef() []float64 { return slices.Clone(s.coef) }

// Intercept is the prediction where all columns are 0; 0 for a fit without one.
func (s *surface) Intercept() float64 { return s.intercept }

// Predict returns intercept + coef·x for each row x of X.
func (s *surface) Predict(X mat.Matrix) ([]float64, error) {
	n, err := checkQueries(X, len(s.coef))
	if err != nil {
		return nil, err
	}
	y := make([]float64, n)
	f := hyperplane.Functions{Directions: kernel.Matrix{Data: s.coef, Rows: 1, Cols: len(s.coef)}, Intercepts: []float64{s.intercept}}
	if err := f.Each(X, s.workers, func(i int, values []float64) { y[i] = values[0] }); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	return y, nil
}

// finite refuses coefficients that have overflowed.
func (s *surface) finite() error {
	if sum := s.intercept + kernel.Dot(s.coef, s.coef); sum-sum != 0 {
		return fmt.Errorf("%w: the coefficients, or their squares, overflow; bring the columns of X and y to a moderate scale", mlcore.ErrNonFinite)
	}
	return nil
}

// discriminants are what the classifiers are: one linear function w·x + b of two
// classes, positive for class 1, or one a class, of which the greatest decides.
type discriminants struct {
	described
	features, classes int
	coef              []float64 // [k*features + j]
	intercept         []float64 // -Inf for a class without training rows
	workers           int
}

func functions(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

// NumFeatures is the number of columns that the model was fitted with.
func (m *discriminants) NumFeatures() int { return m.features }

// NumClasses is K: predictions are in 0..K-1.
func (m *discriminants) NumClasses() int { return m.classes }

// Coef returns the coefficients, 1×d for two classes (those of class 1) and K×d
// for more. A class without training rows has zeros.
func (m *discriminants) Coef() *mat.Dense {
	return newMatrix(len(m.intercept), m.features, slices.Clone(m.coef))
}

// Intercept returns the intercepts, one for each row of Coef. That of a class
// without training rows is -Inf, so that it is never predicted.
func (m *discriminants) Intercept() []float64 { return slices.Clone(m.intercept) }

// DecisionFunction returns w·x + b for each row of X: n×1 for two classes, where
// it is positive for class 1 and 0 on the boundary, and n×K for more, where the
// greatest decides.
func (m *discriminants) DecisionFunction(X mat.Matrix) (*mat.Dense, error) {
	n, err := checkQueries(X, m.features)
	if err != nil {
		return nil, err
	}
	out := newMatrix(n, len(m.intercept), nil)
	if err := m.eachScores(X, func(i int, scores []float64) { copy(out.RawRowView(i), scores) }); err != nil {
		return nil, err
	}
	return out, nil
}

// eachScores calls use with the linear functions of each row of X.
func (m *discriminants) eachScores(X mat.Matrix, use func(i int, scores []float64)) error {
	f := hyperplane.Functions{Directions: kernel.Matrix{Data: m.coef, Rows: len(m.intercept), Cols: m.features}, Intercepts: m.intercept}
	if err := f.Each(X, m.workers, use); err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	return nil
}

// Predict returns the class of each row of X. With two classes it is class 1
// where the decision function is positive, and with more the class whose
// function is greatest, the lowest on a tie.
func (m *discriminants) Predict(X mat.Matrix) ([]int, error) {
	n, err := checkQueries(X, m.features)
	if err != nil {
		return nil, err
	}
	y := make([]int, n)
	if err := m.eachScores(X, func(i int, scores []float64) { y[i] = decide(scores) }); err != nil {
		return nil, err
	}
	return y, nil
}

func decide(scores []float64) int {
	if len(scores) == 1 {
		if scores[0] > 0 {
			return 1
		}
		return 0
	}
	return kernel.ArgMax(scores)
}

// takes is what all the learners make of the columns of a Dataset.
var takes = fitted.Takes{Package: "linear", Numbers: true, Refuses: true}
