package svm

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// A Classifier is a fitted support vector classifier: a machine for each pair of
// classes. It is immutable and safe for concurrent use.
type Classifier struct {
	described
	training
	expansion
	classes  int
	present  []int // the classes that had rows
	machines []machine
	margin   float64 // slack that is no larger is the solver's
}

var _ mlcore.Classifier = (*Classifier)(nil)

// A machine tells two classes apart: low where f(x) ≤ 0, high where f(x) > 0.
type machine struct {
	low, high int
	sum       kernelSum
}

type described = fitted.Model

// takes is what all the machines make of the columns of a Dataset.
var takes = fitted.Takes{Package: "svm", Numbers: true}

// FitClassifier fits a machine to each pair of classes of a Dataset with numeric
// columns, with its sample weights. The model carries the names of columns and
// classes. Rows of weight 0 are left out. Rows of fewer than two classes are an error
// that wraps [mlcore.ErrOneClass].
func (c Config) FitClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	return fitted.Classifier(ds, takes, func(ds *mlcore.Dataset) (*Classifier, error) {
		if err := c.checkVerb(false, false); err != nil {
			return nil, err
		}
		f, err := c.newClassFit(ds)
		if err != nil {
			return nil, err
		}
		minima, err := f.minimise(f.wholes())
		if err != nil {
			return nil, err
		}
		return f.model(minima)
	})
}

// A classFit is the state of fitting a classifier.
type classFit struct {
	Config
	table *classTable
	space *space
	pairs [][2]int
}

func (c Config) newClassFit(ds *mlcore.Dataset) (*classFit, error) {
	t, err := newClassTable(ds, c.ClassWeight)
	if err != nil {
		return nil, err
	}
	if c, err = c.ready(t.len()); err != nil {
		return nil, err
	}
	s, err := c.newSpace(ds.X, ds.Weights, t.table)
	if err != nil {
		return nil, err
	}
	f := &classFit{Config: c, table: t, space: s}
	for i, low := range t.present {
		for _, high := range t.present[i+1:] {
			f.pairs = append(f.pairs, [2]int{low, high})
		}
	}
	return f, t.scaleCost(c.C)
}

// A subproblem is some of the rows of one pair of classes.
type subproblem struct {
	low, high int
	rows      []int32
}

// wholes returns the subproblem of all rows of each pair.
func (f *classFit) wholes() []subproblem {
	all := make([]subproblem, len(f.pairs))
	for k, pair := range f.pairs {
		all[k] = subproblem{pair[0], pair[1], f.table.rowsOf(pair[0], pair[1])}
	}
	return all
}

// minimise solves the subproblems, several at a time where there are several.
func (f *classFit) minimise(problems []subproblem) ([]minimum, error) {
	progress := reporter(f.Progress, len(problems), f.MaxIter)
	minima := make([]minimum, len(problems))
	inner := f.Workers
	if len(problems) > 1 {
		inner = 1
	}
	err := par.DoWith(len(problems), f.Workers, func() *[][]float64 { return new([][]float64) }, func(memory *[][]float64, k int) error {
		p := f.program(problems[k])
		p.workers, p.progress = inner, progress(k)
		minima[k], *memory = p.minimise(*memory)
		return minima[k].told
	})
	return minima, err
}

func (f *classFit) program(s subproblem) program {
	p := f.solver(f.space)
	n := len(s.rows)
	p.rows, p.target, p.lower, p.upper = s.rows, make([]float64, n), make([]float64, n), make([]float64, n)
	for t, r := range s.rows {
		if f.table.labels[r] == s.high {
			p.target[t], p.upper[t] = 1, f.table.cost[r]
		} else {
			p.target[t], p.lower[t] = -1, -f.table.cost[r]
		}
	}
	return p
}

// model gathers the support vectors of all machines.
func (f *classFit) model(minima []minimum) (*Classifier, error) {
	m := &Classifier{classes: f.table.classes, present: f.table.present, margin: f.Tol}
	problems := f.wholes()
	solutions := make([]Solution, len(minima))
	used := make([]bool, f.table.len())
	for k, low := range minima {
		var err error
		if solutions[k], err = low.solution(problems[k].low, problems[k].high); err != nil {
			return nil, err
		}
		for t, beta := range low.beta {
			if beta != 0 {
				used[problems[k].rows[t]] = true
			}
		}
	}
	place := m.expansion.keep(f.space, f.table.table, used, f.Workers)
	for k, low := range minima {
		m.machines = append(m.machines, machine{problems[k].low, problems[k].high, m.newSum(low, problems[k].rows, place)})
	}
	m.training = newTraining(solutions, f.table.table, f.Tol)
	return m, nil
}

// NumClasses is K: predictions are in 0..K-1.
func (m *Classifier) NumClasses() int { return m.classes }

// Pairs returns the two classes, lower code first, of each machine. Classes
// without rows have none.
func (m *Classifier) Pairs() [][2]int {
	pairs := make([][2]int, len(m.machines))
	for k, machine := range m.machines {
		pairs[k] = [2]int{machine.low, machine.high}
	}
	return pairs
}

// Decision returns an n×M matrix of f(x) for the M machines in the order of
// [Classifier.Pairs]: positive on the side of the pair's higher class, -1 and 1
// on the edges of the street.
func (m *Classifier) Decision(X mat.Matrix) (*mat.Dense, error) {
	return decisions(X, &m.expansion, len(m.machines), func(dst, x, values []float64) {
		for k := range m.machines {
			dst[k] = m.machines[k].sum.at(x, values)
		}
	})
}

// Predict returns the class of each row with most votes. A machine votes for the
// higher of its classes where f(x) > 0, and otherwise for the lower; with equal
// votes the lowest class wins, as in libsvm.
func (m *Classifier) Predict(X mat.Matrix) ([]int, error) {
	f, err := m.Decision(X)
	if err != nil {
		return nil, err
	}
	n, _ := f.Dims()
	y := make([]int, n)
	votes := make([]float64, m.classes)
	for i := range y {
		clear(votes)
		for k, v := range f.RawRowView(i) {
			if v > 0 {
				votes[m.machines[k].high]++
			} else {
				votes[m.machines[k].low]++
			}
		}
		y[i] = kernel.ArgMax(votes)
	}
	return y, nil
}

// DualCoef returns an M×S matrix: the coefficient β = yα of each of the S support
// vectors in each machine. α is between 0 and the cost C of the row's slack; it
// is 0 where the row is not a support vector of that machine.
func (m *Classifier) DualCoef() *mat.Dense {
	coef := newMatrix(len(m.machines), len(m.support))
	for k, machine := range m.machines {
		for t, s := range machine.sum.support {
			coef.Set(k, int(s), machine.sum.coef[t])
		}
	}
	return coef
}

// Intercept returns b of each machine.
func (m *Classifier) Intercept() []float64 {
	b := make([]float64, len(m.machines))
	for k, machine := range m.machines {
		b[k] = machine.sum.intercept()
	}
	return b
}

// Coef returns w of each machine, an M×d matrix, where the kernel is [Linear]:
// f(x) = w·x + b. With another kernel w is in another space, and Coef returns
// nil.
func (m *Classifier) Coef() *mat.Dense {
	if m.kernel != (Linear{}) {
		return nil
	}
	coef := mat.NewDense(len(m.machines), m.d, nil)
	for k, machine := range m.machines {
		coef.SetRow(k, machine.sum.weights)
	}
	return coef
}

// StreetWidth returns 2/|w| of each machine: the distance between the edges
// f(x) = -1 and f(x) = 1, in the units of X where the kernel is [Linear], else in
// the space of the kernel's features. It is infinite where w is 0.
func (m *Classifier) StreetWidth() []float64 {
	width := make([]float64, len(m.machines))
	for k, machine := range m.machines {
		width[k] = streetWidth(m.squaredNorm(machine.sum))
	}
	return width
}

// Margins says where rows X with class codes y lie relative to the street of a
// model of two classes. Models of more are refused with an error that wraps
// [mlcore.ErrConfig], codes of other classes with one that wraps
// [mlcore.ErrLabel].
func (m *Classifier) Margins(X mat.Matrix, y []int) (*Margins, error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	if len(m.machines) != 1 {
		return nil, fmt.Errorf("svm: %w: the model has %d streets, one for each pair of classes; fit it to the rows of two classes", mlcore.ErrConfig, len(m.machines))
	}
	f, err := m.Decision(X)
	if err != nil {
		return nil, err
	}
	return newMargins(f, y, m.present, m.margin)
}
