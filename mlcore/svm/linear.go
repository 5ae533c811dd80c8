package svm

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/hyperplane"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/sparse"
	"gonum.org/v1/gonum/mat"
)

// A Loss says what slack costs.
type Loss int

const (
	// Hinge costs the slack itself: max(0, 1 - y·f(x)), for regression
	// max(0, |y - f(x)| - ε). It is the default.
	Hinge Loss = iota
	// SquaredHinge costs the square of that.
	SquaredHinge
)

// String names the loss.
func (l Loss) String() string {
	switch l {
	case Hinge:
		return "hinge"
	case SquaredHinge:
		return "squared hinge"
	}
	return fmt.Sprintf("Loss(%d)", int(l))
}

const (
	// DefaultLinearTol is the tolerance of linear machines.
	DefaultLinearTol = 1e-4
	// DefaultPasses bounds the passes of linear machines over the data.
	DefaultPasses = 1000
)

// A LinearConfig says how a linear machine is fitted, without a kernel matrix, in
// time and memory that grow with the data only: f(x) = w·x + b minimises
//
//	½(|w|² + (b/InterceptScaling)²) + Σ cost_t · loss(y_t, f(x_t))
//
// As in liblinear, b is the weight of a constant feature and so is kept small too. The
// larger InterceptScaling is, the less it is kept small; to leave b free, as textbooks
// do, use Config{Kernel: Linear{}}. The zero value has C = 1, hinge loss and
// InterceptScaling 1.
type LinearConfig struct {
	// C > 0 is the cost of a unit of loss; 0 means [DefaultC]. A smaller C gives
	// a wider street with more violations. That of a row is C times its class
	// weight times its sample weight.
	C float64
	// Loss is Hinge or SquaredHinge.
	Loss Loss
	// Epsilon ≥ 0 is the half-width, in units of the target, of the tube in
	// which regression counts no errors; an error in classification.
	Epsilon float64
	// InterceptScaling > 0 is the value of the constant feature; 0 means 1.
	InterceptScaling float64
	// NoIntercept leaves out b: the boundary goes through 0.
	NoIntercept bool
	// ClassWeight says how much the rows of each class count, also where they are
	// part of the rest against which another class is fitted.
	ClassWeight mlcore.ClassWeight
	// Tol is the violation of the optimality conditions at which the
	// solver stops, in units of f; 0 means [DefaultLinearTol].
	Tol float64
	// MaxIter bounds the passes over the data; 0 means [DefaultPasses]. A model
	// whose solver ends there is returned, and its Status says so.
	MaxIter int
	// Seed draws the order of the rows in each pass. It does not change the
	// minimum; where the solver stops differs within the tolerance.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// does not change the model.
	Workers int
	// Progress, where not nil, is called by the solvers after each pass. The
	// problems are classes, each against the rest; the Measure is the largest
	// violation that the pass met.
	Progress func(mlcore.Progress) error
}

// ready fills in defaults, or says which field is out of range, and makes costs of
// the weights in t, whose rows must not be too large to be squared.
func (c LinearConfig) ready(t *table) (LinearConfig, error) {
	if err := setDefaults(&c.C, &c.Tol, DefaultLinearTol); err != nil {
		return c, err
	}
	switch {
	case c.NoIntercept:
		if c.InterceptScaling != 0 {
			return c, configError("InterceptScaling is %v with NoIntercept", c.InterceptScaling)
		}
	case c.InterceptScaling == 0:
		c.InterceptScaling = 1
	}
	if c.MaxIter == 0 {
		c.MaxIter = DefaultPasses
	}
	switch {
	case c.Loss < Hinge || c.Loss > SquaredHinge:
		return c, configError("there is no Loss %d", c.Loss)
	case !(c.Epsilon >= 0) || math.IsInf(c.Epsilon, 1):
		return c, configError("Epsilon is %v; it is finite and not negative", c.Epsilon)
	case !(c.InterceptScaling >= 0) || math.IsInf(c.InterceptScaling, 1):
		return c, configError("InterceptScaling is %v; it is positive and finite", c.InterceptScaling)
	case c.MaxIter < 0:
		return c, configError("MaxIter is %d", c.MaxIter)
	}
	if err := t.scaleCost(c.C); err != nil {
		return c, err
	}
	if c.Loss == SquaredHinge && t.d > directWidth {
		t.sparse = sparse.Of(t.values, t.d, c.Workers)
	}
	return c, checkNorms(t)
}

// program starts the problem of all rows of t; the caller sets target, lower and
// upper to those of hinge loss and then calls soften.
func (c LinearConfig) program(t *table, stream uint64) linearProgram {
	n := t.len()
	return linearProgram{
		table: t, bias: c.InterceptScaling, tolerance: c.Tol, maxIterations: c.MaxIter, rng: mlcore.NewRand(c.Seed, stream),
		target: make([]float64, n), lower: make([]float64, n), upper: make([]float64, n), ridge: make([]float64, n),
	}
}

// team returns who solves one problem: several where there is work enough for them.
func (c LinearConfig) team(t *table) *par.Team {
	if c.Loss != SquaredHinge || t.d <= directWidth || t.len() < 4*sumRows || par.Workers(c.Workers) == 1 {
		return nil
	}
	return par.NewTeam(c.Workers)
}

// soften turns the problem of hinge loss into that of the loss at hand. With the
// squared loss the cost does not bound the variable but penalises its square.
func (c LinearConfig) soften(p *linearProgram) {
	if c.Loss == Hinge {
		return
	}
	for t, cost := range p.cost {
		p.ridge[t] = 1 / (2 * cost)
		if p.lower[t] < 0 {
			p.lower[t] = math.Inf(-1)
		}
		if p.upper[t] > 0 {
			p.upper[t] = math.Inf(1)
		}
	}
}

// checkNorms refuses rows so large that their squares overflow.
func checkNorms(t *table) error {
	if t.sparse != nil {
		for i, r := range t.origin {
			if v := t.sparse.Square(i); v-v != 0 {
				return tooLarge(r, v)
			}
		}
		return nil
	}
	s := &space{kernel: Linear{}, data: t.values, d: t.d}
	return s.checkDiagonal(allRows(t.len()), t.origin)
}

// A plane is the function f(x) = w·x + b.
type plane struct {
	w []float64
	b float64
}

// width is the number of columns that planes have, 0 of none.
func width(planes []plane) int {
	if len(planes) == 0 {
		return 0
	}
	return len(planes[0].w)
}

// checkQueries refuses queries that planes of so many columns do not take, and returns their
// number.
func checkQueries(X mat.Matrix, columns int) (int, error) {
	if err := mlcore.CheckFeatures(X, columns); err != nil {
		return 0, fmt.Errorf("svm: %w", err)
	}
	n, _ := X.Dims()
	return n, nil
}

// evaluatePlanes calls use with f(x) of each plane for every row of X, which has been checked.
func evaluatePlanes(X mat.Matrix, planes []plane, workers int, use func(i int, values []float64)) error {
	f := hyperplane.Functions{Directions: kernel.Matrix{Rows: len(planes), Cols: width(planes)}}
	for _, p := range planes {
		f.Directions.Data = append(f.Directions.Data, p.w...)
		f.Intercepts = append(f.Intercepts, p.b)
	}
	if err := f.Each(X, workers, use); err != nil {
		return fmt.Errorf("svm: %w", err)
	}
	return nil
}
