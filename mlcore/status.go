package mlcore

import (
	"fmt"
	"slices"
)

// An Outcome says why an iterative fit ended.
type Outcome int

const (
	// Converged: the measure of optimality reached the tolerance or, for a
	// network, the training loss no longer fell.
	Converged Outcome = iota
	// IterationLimit: all iterations, rounds or epochs that the configuration
	// allows were made.
	IterationLimit
	// Stalled: no step lowered the objective, though the tolerance was not
	// reached.
	Stalled
	// Separated: without a penalty, a hyperplane that leaves no row on the wrong
	// side makes the likelihood grow without end as the coefficients do; the
	// optimum does not exist and the coefficients are where the solver stopped.
	Separated
	// EarlyStopped: the loss on the validation rows no longer fell.
	EarlyStopped
	// Perfect: the last member of a boosted ensemble makes no error.
	Perfect
	// NoBetterThanChance: the next member of a boosted ensemble would make as
	// many errors as a guess.
	NoBetterThanChance
	// Interrupted: a callback asked for the end.
	Interrupted
)

// outcomeNames holds the names of the outcomes in the order of their values.
var outcomeNames = []string{"converged", "iteration limit", "stalled", "separated classes", "stopped early", "perfect member", "no better than chance", "interrupted"}

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
	// Iterations is how many were made: solver steps, sweeps over the
	// coefficients, rounds or epochs, as the configuration says.
	Iterations int
	// Measure is what was compared with the tolerance at the end; its meaning is
	// the configuration's. It is 0 where nothing is compared.
	Measure float64
	// Loss is the objective at the start and after each iteration; nil where it
	// is not followed.
	Loss []float64
	// Advice says what to do about an outcome that is worth a remark, or is "".
	Advice string
}

// String is one line for a log: the outcome, the iterations, the measure and the
// advice.
func (s Status) String() string {
	line := fmt.Sprintf("%s after %d iterations", s.Outcome, s.Iterations)
	if s.Measure != 0 {
		line += fmt.Sprintf(" (measure %.3g)", s.Measure)
	}
	if s.Advice != "" {
		line += ": " + s.Advice
	}
	return line
}

// Clone returns a copy that shares no memory with s.
func (s Status) Clone() Status {
	s.Loss = slices.Clone(s.Loss)
	return s
}
