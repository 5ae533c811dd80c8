package mlcore

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// A Classifier is a fitted model that assigns class codes.
//
// The methods of a model that take a matrix trust it: they assume that column j is
// column j of the training data, and that a level code is the code that the level had
// there. They check the number of columns, that values are finite, or missing where
// the model allows it, and that codes are in range; they cannot see what the numbers
// mean. [Predict], [PredictProba] and [PredictNames] take a [Dataset] and do the
// rest: columns are found by name, put in order and checked to be numeric or
// categorical as in training, columns that the model does not know are left out,
// codes follow the names of levels, and a category that training did not have is
// treated as the column's [Column.Unknown] says.
type Classifier interface {
	// NumFeatures is the number of columns that Predict expects.
	NumFeatures() int
	// NumClasses is K: predictions are in 0..K-1.
	NumClasses() int
	// Predict returns the class code of each row of X, a matrix as described
	// above.
	Predict(X mat.Matrix) ([]int, error)
}

// A ProbClassifier is a Classifier that also estimates class probabilities.
type ProbClassifier interface {
	Classifier
	// PredictProba returns an n×K matrix whose rows sum to 1. X is as in Predict.
	PredictProba(X mat.Matrix) (*mat.Dense, error)
}

// A Regressor is a fitted model that predicts real numbers. [Classifier] says what
// its Predict cannot see in a matrix and the function [Predict] sees in a Dataset.
type Regressor interface {
	// NumFeatures is the number of columns that Predict expects.
	NumFeatures() int
	// Predict returns the prediction for each row of X.
	Predict(X mat.Matrix) ([]float64, error)
}

// A ClassifierLearner fits a classifier to the labels Y of a Dataset. It is what
// meta-algorithms such as bagging, boosting and pipelines take; [LearnClassifier]
// makes one from the FitClassifier method of any configuration.
type ClassifierLearner func(ds *Dataset) (Classifier, error)

// A RegressorLearner fits a regressor to the Target of a Dataset.
type RegressorLearner func(ds *Dataset) (Regressor, error)

// LearnClassifier turns a function that returns a model of its own type into a
// [ClassifierLearner]:
//
//	learner := mlcore.LearnClassifier(tree.Config{MaxDepth: 1}.FitClassifier)
func LearnClassifier[M Classifier](fit func(ds *Dataset) (M, error)) ClassifierLearner {
	return func(ds *Dataset) (Classifier, error) {
		if fit == nil {
			return nil, errNoFit
		}
		m, err := fit(ds)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

// LearnRegressor turns a function that returns a model of its own type into a
// [RegressorLearner].
func LearnRegressor[M Regressor](fit func(ds *Dataset) (M, error)) RegressorLearner {
	return func(ds *Dataset) (Regressor, error) {
		if fit == nil {
			return nil, errNoFit
		}
		m, err := fit(ds)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

var errNoFit = fmt.Errorf("%w: the function that fits a model is nil", ErrConfig)

// OnMatrix turns a function of your own that fits to a bare matrix into one that fits
// to a Dataset: to its X, its Y or Target, and its Weights. Level codes of categorical
// columns are handed over as the numbers that they are, and the model learns no names.
func OnMatrix[Y int | float64, M any](fit func(X mat.Matrix, y []Y, w []float64) (M, error)) func(ds *Dataset) (M, error) {
	return func(ds *Dataset) (M, error) {
		var none M
		if fit == nil {
			return none, errNoFit
		}
		if ds == nil {
			return none, fmt.Errorf("%w: the Dataset is nil", ErrEmpty)
		}
		var y []Y
		switch y := any(&y).(type) {
		case *[]int:
			*y = ds.Y
		case *[]float64:
			*y = ds.Target
		}
		return fit(ds.X, y, ds.Weights)
	}
}
