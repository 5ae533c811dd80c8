package svm

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
)

// A Solution says how the solver ended on one problem of two classes, or on a
// regression.
type Solution struct {
	// Low and High are the classes on the negative and the positive side. For
	// one class against the rest Low is -1, for regression both are.
	Low, High int
	// Outcome is Converged where the violation is at most the tolerance.
	// Otherwise it is IterationLimit: the model is usable, but is not the one
	// that the settings ask for.
	Outcome mlcore.Outcome
	// Iterations counts steps of two variables in kernel machines, and passes
	// over the data in linear ones.
	Iterations int
	// Violation is the largest violation of the Karush-Kuhn-Tucker conditions at
	// the end, in units of the decision function; 0 is perfect.
	Violation float64
	// Objective is the value of the dual problem, which is minimised: minus the
	// primal objective at the minimum.
	Objective float64
}

// training is how the fit of a model went.
type training struct {
	status    mlcore.Status
	solutions []Solution
}

// Status tells how training went. Its Outcome is IterationLimit if any problem ended
// so, Iterations is the sum over the problems and Measure the largest violation of
// any.
func (t *training) Status() mlcore.Status { return t.status.Clone() }

// Solutions says how each problem ended, in the model's order.
func (t *training) Solutions() []Solution { return slices.Clone(t.solutions) }

// newTraining sums up. The table is the training data, to find out why a solver
// did not converge.
func newTraining(solutions []Solution, t *table, tolerance float64) training {
	sum := training{solutions: solutions}
	s := &sum.status
	limited := 0
	for _, one := range solutions {
		if one.Outcome != mlcore.Converged {
			s.Outcome = one.Outcome
			limited++
		}
		s.Iterations += one.Iterations
		s.Measure = max(s.Measure, one.Violation)
	}
	if limited > 0 {
		s.Advice = fmt.Sprintf("%d of %d problems hit the limit of iterations with a KKT violation of up to %.3g; the tolerance is %.3g. ",
			limited, len(solutions), s.Measure, tolerance) + t.advice()
	}
	return sum
}

// Columns whose ranges differ by this factor or more are said to need scaling.
const scaleRatio = 100

// advice says what may help a solver that has not converged.
func (t *table) advice() string {
	narrow, wide := -1, -1
	ranges := make([]float64, t.d)
	for j := range t.d {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range t.len() {
			v := t.values[i*t.d+j]
			low, high = min(low, v), max(high, v)
		}
		if ranges[j] = high - low; ranges[j] == 0 {
			continue
		}
		if narrow < 0 || ranges[j] < ranges[narrow] {
			narrow = j
		}
		if wide < 0 || ranges[j] > ranges[wide] {
			wide = j
		}
	}
	if wide >= 0 && ranges[wide] >= scaleRatio*ranges[narrow] {
		return fmt.Sprintf("Column %d ranges %.2g times as wide as column %d: standardise the columns first, for example with preprocess.StandardScalerConfig.",
			wide, ranges[wide]/ranges[narrow], narrow)
	}
	return "Standardise the columns if they are not, lower C, or raise MaxIter or Tol."
}

// reporter returns for each problem a function that passes on its progress.
func reporter(tell func(mlcore.Progress) error, problems, maxIterations int) func(problem int) func(iterations int, violation float64) error {
	r := report.To(tell, "svm", problems, maxIterations)
	return func(problem int) func(int, float64) error {
		return func(iterations int, violation float64) error {
			losses := report.NoLosses
			losses.Measure = violation
			return r.Step(problem, iterations, losses)
		}
	}
}
