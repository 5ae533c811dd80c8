package svm

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

// A Status says why a solver stopped.
type Status int

const (
	// Converged: the violation is at most the tolerance.
	Converged Status = iota
	// IterationLimit: the limit came first. The model is usable, but not the one
	// that the settings ask for.
	IterationLimit
)

// String names the status.
func (s Status) String() string {
	switch s {
	case Converged:
		return "converged"
	case IterationLimit:
		return "iteration limit"
	}
	return fmt.Sprintf("Status(%d)", int(s))
}

// A Solution says how the solver ended on one problem of two classes, or on a
// regression.
type Solution struct {
	// Low and High are the classes on the negative and the positive side. For
	// one class against the rest Low is -1, for regression both are.
	Low, High int
	Status    Status
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

// A Report says how training ended.
type Report struct {
	// Status is IterationLimit if any problem ended so.
	Status Status
	// Iterations is the sum over the problems.
	Iterations int
	// Violation is the largest of any problem.
	Violation float64
	// Solutions holds one entry a problem, in the model's order.
	Solutions []Solution
	// Advice says what to do about an IterationLimit; else it is empty.
	Advice string
}

// newReport sums up. The table is the training data, to find out why a solver
// did not converge.
func newReport(solutions []Solution, t *table, tolerance float64) Report {
	r := Report{Solutions: solutions}
	limited := 0
	for _, s := range solutions {
		if s.Status != Converged {
			r.Status = s.Status
			limited++
		}
		r.Iterations += s.Iterations
		r.Violation = max(r.Violation, s.Violation)
	}
	if limited > 0 {
		r.Advice = fmt.Sprintf("%d of %d problems hit the limit of iterations with a KKT violation of up to %.3g; the tolerance is %.3g. ",
			limited, len(solutions), r.Violation, tolerance) + t.advice()
	}
	return r
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
	return "Standardise the columns if they are not, lower C, or raise MaxIterations or Tolerance."
}

func (r Report) clone() Report {
	r.Solutions = slices.Clone(r.Solutions)
	return r
}

func (r Report) write(w *codec.Writer) {
	w.Int(len(r.Solutions))
	for _, s := range r.Solutions {
		w.Int(s.Low)
		w.Int(s.High)
		w.Int(int(s.Status))
		w.Int(s.Iterations)
		w.Float64(s.Violation)
		w.Float64(s.Objective)
	}
	w.Int(int(r.Status))
	w.Int(r.Iterations)
	w.Float64(r.Violation)
	w.String(r.Advice)
}

func readReport(r *codec.Reader) Report {
	n := r.Int()
	var report Report
	for i := 0; i < n && r.Err() == nil; i++ {
		report.Solutions = append(report.Solutions, Solution{
			Low: r.Int(), High: r.Int(), Status: Status(r.Int()), Iterations: r.Int(), Violation: r.Float64(), Objective: r.Float64(),
		})
	}
	report.Status, report.Iterations, report.Violation, report.Advice = Status(r.Int()), r.Int(), r.Float64(), r.String()
	return report
}

// A Progress is a sign of life of a solver.
type Progress struct {
	// Problem is the number of the problem, of Problems in all: pairs of
	// classes, or classes, and for probabilities also their folds.
	Problem, Problems int
	// Iterations is the number made so far.
	Iterations int
	// Violation is the present violation of the conditions; training ends when
	// it comes down to the tolerance.
	Violation float64
}

// reporter returns for each problem a function that passes on its progress, one
// call at a time, or nil where nobody listens.
func reporter(listen func(Progress), problems int) func(problem int) func(iterations int, violation float64) {
	if listen == nil {
		return func(int) func(int, float64) { return nil }
	}
	var mu sync.Mutex
	return func(problem int) func(int, float64) {
		return func(iterations int, violation float64) {
			mu.Lock()
			defer mu.Unlock()
			listen(Progress{problem, problems, iterations, violation})
		}
	}
}
