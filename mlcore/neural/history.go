package neural

// An Epoch is what was measured in one pass through the training rows.
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
