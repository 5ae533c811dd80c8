package linear

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

// An Outcome says how an iterative fit ended.
type Outcome int

const (
	// Converged: the measure of optimality fell to Tol.
	Converged Outcome = iota
	// IterationLimit: MaxIter or Epochs came first.
	IterationLimit
	// Stalled: no step made the objective less, though Tol was not reached.
	Stalled
	// Separated: without a penalty, a hyperplane that leaves no row on the wrong
	// side makes the likelihood grow for ever as the coefficients do; the
	// optimum does not exist and the coefficients are where the solver stopped.
	Separated
)

var outcomeNames = [...]string{"converged", "iteration limit", "stalled", "separated"}

// String names the outcome.
func (o Outcome) String() string {
	if o < 0 || int(o) >= len(outcomeNames) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return outcomeNames[o]
}

// A Status tells how an iterative fit went.
type Status struct {
	Outcome Outcome
	// Iterations that were made: solver steps, sweeps over the coefficients, or
	// epochs.
	Iterations int
	// Measure is what was compared with Tol at the end; its meaning is the
	// configuration's.
	Measure float64
	// Loss is the objective at the start and after each iteration.
	Loss []float64
	// Advice says what to do about an outcome that is not Converged; else it is
	// empty.
	Advice string
}

// String is one line for a log: the outcome, the iterations, the measure and the
// advice.
func (s Status) String() string {
	line := fmt.Sprintf("%s after %d iterations (measure %.3g)", s.Outcome, s.Iterations, s.Measure)
	if s.Advice != "" {
		line += ": " + s.Advice
	}
	return line
}

func (s Status) clone() Status {
	s.Loss = slices.Clone(s.Loss)
	return s
}

// An Iteration is what a progress callback is told after each.
type Iteration struct {
	// Number counts from 1.
	Number int
	// Loss is the objective, Measure what is compared with Tol.
	Loss, Measure float64
}

func (s Status) write(w *codec.Writer) {
	w.Int(int(s.Outcome))
	w.Int(s.Iterations)
	w.Float64(s.Measure)
	w.Float64s(s.Loss)
	w.String(s.Advice)
}

func readStatus(r *codec.Reader) Status {
	s := Status{Outcome: Outcome(r.Int()), Iterations: r.Int(), Measure: r.Float64(), Loss: r.Float64s(), Advice: r.String()}
	if s.Outcome < Converged || s.Outcome > Separated || s.Iterations < 0 {
		r.Fail("outcome %d after %d iterations", int(s.Outcome), s.Iterations)
	}
	return s
}
