package svm

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// A LinearClassifier is a fitted linear classifier: one plane for two classes, and
// one for each class against the rest where there are more. It is immutable and
// safe for concurrent use.
type LinearClassifier struct {
	described
	training
	planes  []plane
	classes int
	present []int // the classes that had rows
	margin  float64
	workers int
}

var _ mlcore.Classifier = (*LinearClassifier)(nil)

// FitClassifier fits planes to a Dataset with numeric columns, with its sample weights.
// The model carries the names of columns and classes. Rows of weight 0 are left out.
// Rows of fewer than two classes are an error that wraps [mlcore.ErrOneClass].
func (c LinearConfig) FitClassifier(ds *mlcore.Dataset) (*LinearClassifier, error) {
	return fitted.Classifier(ds, takes, c.fitClassifier)
}

func (c LinearConfig) fitClassifier(ds *mlcore.Dataset) (*LinearClassifier, error) {
	if err := checkEpsilon(c.Epsilon, false); err != nil {
		return nil, err
	}
	t, err := newClassTable(ds, c.ClassWeight)
	if err != nil {
		return nil, err
	}
	if c, err = c.ready(t.table); err != nil {
		return nil, err
	}
	m := &LinearClassifier{classes: t.classes, present: t.present, margin: c.Tol, workers: c.Workers}
	heads := t.present // the class on the positive side of each plane
	low := -1
	if len(heads) == 2 {
		low, heads = heads[0], heads[1:]
	}
	m.planes = make([]plane, len(heads))
	solutions := make([]Solution, len(heads))
	progress := reporter(c.Progress, len(heads), c.MaxIter)
	var team *par.Team // of the only problem; several problems are solved side by side
	if len(heads) == 1 {
		team = c.team(t.table)
		defer team.Close()
	}
	err = par.Do(len(heads), c.Workers, func(k int) error {
		p := c.program(t.table, uint64(k))
		p.team = team
		p.progress = progress(k)
		for i, label := range t.labels {
			if label == heads[k] {
				p.target[i], p.upper[i] = 1, t.cost[i]
			} else {
				p.target[i], p.lower[i] = -1, -t.cost[i]
			}
		}
		c.soften(&p)
		weights, end := p.descend()
		m.planes[k] = plane{weights, end.bias}
		var err error
		solutions[k], err = end.solution(low, heads[k])
		return err
	})
	if err != nil {
		return nil, err
	}
	m.training = newTraining(solutions, t.table, c.Tol)
	return m, nil
}

// NumFeatures is the number of columns that Predict expects.
func (m *LinearClassifier) NumFeatures() int { return width(m.planes) }

// NumClasses is K: predictions are in 0..K-1.
func (m *LinearClassifier) NumClasses() int { return m.classes }

// Heads returns the class on the positive side of each plane: the higher of two
// classes, or all that had rows.
func (m *LinearClassifier) Heads() []int {
	return append([]int(nil), m.present[len(m.present)-len(m.planes):]...)
}

// Decision returns an n×M matrix of f(x) = w·x + b for the M planes in the order
// of Heads.
func (m *LinearClassifier) Decision(X mat.Matrix) (*mat.Dense, error) {
	n, err := checkQueries(X, m.NumFeatures())
	if err != nil {
		return nil, err
	}
	f := newMatrix(n, len(m.planes))
	if err := evaluatePlanes(X, m.planes, m.workers, func(i int, values []float64) { copy(f.RawRowView(i), values) }); err != nil {
		return nil, err
	}
	return f, nil
}

// Predict returns the class of each row. With two classes it is the higher where
// f(x) > 0 and otherwise the lower; with more it is the class with the largest
// f(x), the lowest on a tie.
func (m *LinearClassifier) Predict(X mat.Matrix) ([]int, error) {
	n, err := checkQueries(X, m.NumFeatures())
	if err != nil {
		return nil, err
	}
	y := make([]int, n)
	if err := evaluatePlanes(X, m.planes, m.workers, func(i int, values []float64) { y[i] = m.decide(values) }); err != nil {
		return nil, err
	}
	return y, nil
}

func (m *LinearClassifier) decide(f []float64) int {
	if len(f) == 1 {
		if f[0] > 0 {
			return m.present[1]
		}
		return m.present[0]
	}
	return m.present[kernel.ArgMax(f)]
}

// Coef returns w of each plane, an M×d matrix.
func (m *LinearClassifier) Coef() *mat.Dense {
	coef := newMatrix(len(m.planes), m.NumFeatures())
	for k, p := range m.planes {
		coef.SetRow(k, p.w)
	}
	return coef
}

// Intercept returns b of each plane.
func (m *LinearClassifier) Intercept() []float64 {
	b := make([]float64, len(m.planes))
	for k, p := range m.planes {
		b[k] = p.b
	}
	return b
}

// StreetWidth returns 2/|w| of each plane: the distance between f(x) = -1 and
// f(x) = 1, in the units of X.
func (m *LinearClassifier) StreetWidth() []float64 {
	width := make([]float64, len(m.planes))
	for k, p := range m.planes {
		width[k] = streetWidth(dot(p.w, p.w))
	}
	return width
}

// Margins says where rows X with class codes y lie relative to the street of a
// model of two classes; see [Classifier.Margins].
func (m *LinearClassifier) Margins(X mat.Matrix, y []int) (*Margins, error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	if len(m.planes) != 1 {
		return nil, fmt.Errorf("svm: %w: the model has %d streets, one for each class; fit it to the rows of two classes", mlcore.ErrConfig, len(m.planes))
	}
	f, err := m.Decision(X)
	if err != nil {
		return nil, err
	}
	return newMargins(f, y, m.present, m.margin)
}
