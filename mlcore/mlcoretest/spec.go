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
	// TakesCategories marks a learner that takes categorical columns as well as
	// numeric ones. Others refuse them.
	TakesCategories bool
	// NonNegative marks a learner of counts: all values are raised by 8.
	NonNegative bool
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
	// classes, also where one of them has no rows, as a network's does.
	CountsClasses bool
	// AllowsMissing marks a learner that accepts NaN in X.
	AllowsMissing bool
	// IgnoresUnknown marks a learner of categories whose models ignore those that a
	// column does not list, and say so in their Schema.
	IgnoresUnknown bool
	// NeedsTwoClasses marks a classifier that refuses labels of one class.
	NeedsTwoClasses bool
	// Binary marks a classifier of two classes only.
	Binary bool
	// OneColumn marks a learner of a single numeric column. Others get three.
	OneColumn bool
	// TrainingRowsOnly marks a learner without labels whose models say nothing of other
	// rows than those that they were fitted to.
	TrainingRowsOnly bool
	// Shrinks marks a regressor that does not predict the target of a single
	// training row, as one with a penalised intercept does not.
	Shrinks bool
	// Tol is the largest difference of probabilities or predictions that
	// rounding may cause when rows are summed in another order; 0 means 1e-9.
	Tol float64
	// MinRows is the least number of training rows that make sense, 1 if 0.
	MinRows int
}

// columns is how many columns the estimator is fitted to.
func (t Traits) columns() int {
	if t.OneColumn {
		return 1
	}
	return 3
}

func (t Traits) tolerance() float64 { return cmp.Or(t.Tol, 1e-9) }

// A ClassifierConfig is a configuration whose method fits a classifier M to a Dataset.
type ClassifierConfig[M mlcore.Classifier] interface {
	FitClassifier(ds *mlcore.Dataset) (M, error)
}

// An UnsupervisedConfig is a configuration whose method fits a model M to the rows of a
// Dataset, whatever their labels.
type UnsupervisedConfig[M mlcore.Described] interface {
	Fit(ds *mlcore.Dataset) (M, error)
}

// A RegressorConfig is a configuration whose method fits a regressor M to a Dataset.
type RegressorConfig[M mlcore.Regressor] interface {
	FitRegressor(ds *mlcore.Dataset) (M, error)
}
