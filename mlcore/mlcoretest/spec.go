package mlcoretest

import (
	"cmp"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Traits are the ways in which estimators rightly differ; the zero value is that
// of a deterministic learner on numeric columns that takes weights.
type Traits struct {
	// Levels is the number of categories of each of the three columns that the
	// estimator is fitted to, 0 for a numeric one, or nil: all numeric. Columns
	// with levels hold codes.
	Levels []int
	// Stochastic learners draw at random: permuting rows, or repeating them in
	// place of weights, changes the draws and so the model.
	Stochastic bool
	// IgnoresWeights marks a learner that refuses weights other than nil.
	IgnoresWeights bool
	// CountsRows marks a learner that counts rows whatever their weights, as
	// nearest neighbours do to find the k nearest, so that a row of weight 2 is
	// not the same as two rows.
	CountsRows bool
	// CountsClasses marks a classifier whose model depends on K, the number of
	// classes, also where one of them has no rows, as SAMME's does.
	CountsClasses bool
	// AllowsMissing marks a learner that accepts NaN in X.
	AllowsMissing bool
	// NeedsTwoClasses marks a classifier that refuses labels of one class.
	NeedsTwoClasses bool
	// Binary marks a classifier of two classes only.
	Binary bool
	// Tolerance is the largest difference of probabilities or predictions that
	// rounding may cause when rows are summed in another order; 0 means 1e-9.
	Tolerance float64
	// MinRows is the least number of training rows that make sense, 1 if 0.
	MinRows int
}

func (t Traits) tolerance() float64 { return cmp.Or(t.Tolerance, 1e-9) }

// A ClassifierSpec tells [Classifier] how to fit and decode a classifier.
type ClassifierSpec struct {
	Traits
	// Learn returns a learner that uses at most the given number of
	// goroutines and always the same seed.
	Learn func(workers int) mlcore.ClassifierLearner
	// Decode reads what the model's MarshalBinary wrote.
	Decode func(data []byte) (mlcore.Classifier, error)
}

// A RegressorSpec tells [Regressor] how to fit and decode a regressor.
type RegressorSpec struct {
	Traits
	// Learn returns a learner that uses at most the given number of
	// goroutines and always the same seed.
	Learn func(workers int) mlcore.RegressorLearner
	// Decode reads what the model's MarshalBinary wrote.
	Decode func(data []byte) (mlcore.Regressor, error)
}
