package neural

import "fmt"

// An Epoch is what was measured in one passage through the training rows.
type Epoch struct {
	// Number counts epochs from 1.
	Number int
	// LearningRate is that of its steps.
	LearningRate float64
	// Train is the mean over the training rows, each measured in its batch
	// before the step that the batch led to, with dropout and penalties: as
	// scikit-learn's loss_curve_. Validation is measured after the epoch,
	// without dropout and penalties; it is 0 if Validated is not set.
	Train, Validation Measure
	// Validated tells that there are validation rows.
	Validated bool
}

// A Measure judges the answers for some rows.
type Measure struct {
	// Loss is the mean loss; see the package comment.
	Loss float64
	// Score is the accuracy of a classifier. Of a regressor it is R², 1 - Σ(y-f)²
	// / Σ(y-mean y)², and 0 where all y are equal.
	Score float64
}

// A Reason is why training ended.
type Reason int

const (
	// AllEpochs: the number of epochs asked for.
	AllEpochs Reason = iota
	// Plateau: for Patience epochs the training loss did not fall.
	Plateau
	// EarlyStop: for Patience epochs the validation loss did not fall.
	EarlyStop
	// Stopped: by OnEpoch.
	Stopped
)

// String says why in a few words.
func (r Reason) String() string {
	switch r {
	case AllEpochs:
		return "all epochs were run"
	case Plateau:
		return "the training loss stopped falling"
	case EarlyStop:
		return "the validation loss stopped falling"
	case Stopped:
		return "the caller stopped it"
	}
	return fmt.Sprintf("Reason(%d)", int(r))
}

// A Status says how training ended.
type Status struct {
	// Reason is why.
	Reason Reason
	// Epochs is how many were run.
	Epochs int
	// BestEpoch is the number of the epoch whose parameters the model has: with
	// Patience and validation rows the one of least validation loss, else the
	// last.
	BestEpoch int
	// Notes are remarks for a person to read: on features or targets that should
	// be scaled, and on a training that has done harm without an overflow.
	Notes []string
}
