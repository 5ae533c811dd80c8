package svm

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// The defaults of the fields of a configuration that are 0.
const (
	// DefaultC is the cost of slack.
	DefaultC = 1.0
	// DefaultTol is that of the kernel machines.
	DefaultTol = 1e-3
	// DefaultFolds is the number of folds behind probabilities.
	DefaultFolds = 5
	// DefaultCacheMB is the room for rows of the kernel matrix, in megabytes.
	DefaultCacheMB = 200
)

// A Config says how a kernel machine is fitted. The zero value is, like
// scikit-learn's default, C = 1 and a radial basis function that is fitted to
// the spread of the data. Features with wider ranges count for more: bring them
// to one scale first, for example with preprocess.StandardScalerConfig.
type Config struct {
	// C > 0 is the cost of one unit of slack; 0 means [DefaultC]. A smaller C
	// gives a wider street with more violations. That of a row is C times its
	// class weight times its sample weight.
	C float64
	// Kernel is the inner product; nil means RBF{}.
	Kernel Kernel
	// Epsilon ≥ 0 is the half-width, in units of the target, of the tube in which
	// regression counts no errors; an error in classification. scikit-learn's default is
	// 0.1; here 0 means 0, with which nearly every row becomes a support vector.
	Epsilon float64
	// ClassWeight says how much the rows of each class count.
	ClassWeight mlcore.ClassWeight
	// Tol is the violation of the optimality conditions at which the
	// solver stops, in units of the decision function; 0 means
	// [DefaultTol].
	Tol float64
	// MaxIter bounds the steps of each solver; 0 means 100 times the number of
	// rows, but at least 1,000,000. A model whose solver ends there is
	// returned, and its Status says so.
	MaxIter int
	// CacheMB is the room for rows of the kernel matrix in megabytes, for each
	// worker; 0 means [DefaultCacheMB].
	CacheMB int
	// Folds is the number of folds that FitProbClassifier divides the rows of
	// each pair of classes into; 0 means [DefaultFolds]. It is an error in other
	// fits.
	Folds int
	// Seed shuffles rows into these folds; it changes nothing else.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// does not change the model.
	Workers int
	// Progress, where not nil, is called by the solvers from time to time. The
	// problems are pairs of classes, and for probabilities also their folds; the
	// Measure is the violation.
	Progress func(mlcore.Progress) error
}

// ready fills in defaults, or says which field is out of range.
func (c Config) ready(n int) (Config, error) {
	if err := setDefaults(&c.C, &c.Tol, DefaultTol); err != nil {
		return c, err
	}
	if c.MaxIter == 0 {
		c.MaxIter = max(100*n, 1_000_000)
	}
	if c.CacheMB == 0 {
		c.CacheMB = DefaultCacheMB
	}
	if c.Folds == 0 {
		c.Folds = DefaultFolds
	}
	switch {
	case !(c.Epsilon >= 0) || math.IsInf(c.Epsilon, 1):
		return c, configError("Epsilon is %v; it is finite and not negative", c.Epsilon)
	case c.MaxIter < 0:
		return c, configError("MaxIter is %d", c.MaxIter)
	case c.CacheMB < 0 || c.CacheMB > 1<<20:
		return c, configError("CacheMB is %d", c.CacheMB)
	case c.Folds < 2:
		return c, configError("Folds is %d; it is at least 2", c.Folds)
	}
	return c, nil
}

// checkVerb refuses settings of other fits than the one at hand.
func (c Config) checkVerb(regression, probabilities bool) error {
	if c.Folds != 0 && !probabilities {
		return configError("Folds is %d; only FitProbClassifier makes folds", c.Folds)
	}
	return checkEpsilon(c.Epsilon, regression)
}

// checkEpsilon refuses a tube where there are no targets.
func checkEpsilon(epsilon float64, regression bool) error {
	if epsilon != 0 && !regression {
		return configError("Epsilon is %v; it is for regression", epsilon)
	}
	return nil
}

// setDefaults fills in and checks the two fields of both configurations that are
// positive numbers.
func setDefaults(C, tolerance *float64, defaultTolerance float64) error {
	if *C == 0 {
		*C = DefaultC
	}
	if *tolerance == 0 {
		*tolerance = defaultTolerance
	}
	if !(*C > 0) || math.IsInf(*C, 1) {
		return configError("C is %v; it is positive and finite", *C)
	}
	if !(*tolerance > 0) || math.IsInf(*tolerance, 1) {
		return configError("Tol is %v; it is positive and finite", *tolerance)
	}
	return nil
}

// newSpace makes the training rows a space under the kernel.
func (c Config) newSpace(X mat.Matrix, w []float64, t *table) (*space, error) {
	kernel, err := ready(c.Kernel, X, w)
	if err != nil {
		return nil, err
	}
	s := &space{kernel: kernel, data: t.values, d: t.d}
	if kernel == (Linear{}) {
		s.centre()
	}
	return s, s.checkDiagonal(allRows(t.len()), t.origin)
}

// solver returns what the programs of a fit have in common.
func (c Config) solver(s *space) program {
	return program{space: s, tolerance: c.Tol, maxIterations: c.MaxIter, cacheBytes: c.CacheMB << 20, workers: c.Workers}
}

// solution tells of a minimum, or refuses one in which numbers have overflowed.
func (m minimum) solution(low, high int) (Solution, error) {
	if m.told != nil {
		return Solution{}, m.told
	}
	if sum := m.bias + m.objective + m.violation; sum-sum != 0 {
		what := "the columns"
		if low == high {
			what = "the columns and the targets"
		}
		return Solution{}, fmt.Errorf("svm: %w: bias %v and objective %v after %d iterations; standardise %s or lower C",
			mlcore.ErrNonFinite, m.bias, m.objective, m.iterations, what)
	}
	s := Solution{Low: low, High: high, Iterations: m.iterations, Violation: m.violation, Objective: m.objective}
	if !m.converged {
		s.Outcome = mlcore.IterationLimit
	}
	return s, nil
}
