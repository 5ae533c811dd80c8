package mlcore

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// A Classifier is a fitted model that assigns class codes.
type Classifier interface {
	// NumFeatures is the number of columns that Predict expects.
	NumFeatures() int
	// NumClasses is K: predictions are in 0..K-1.
	NumClasses() int
	// Predict returns the class code of each row of X.
	Predict(X mat.Matrix) ([]int, error)
}

// A ProbClassifier is a Classifier that also estimates class probabilities.
type ProbClassifier interface {
	Classifier
	// PredictProba returns an n×K matrix whose rows sum to 1.
	PredictProba(X mat.Matrix) (*mat.Dense, error)
}

// A Regressor is a fitted model that predicts real numbers.
type Regressor interface {
	// NumFeatures is the number of columns that Predict expects.
	NumFeatures() int
	// Predict returns the prediction for each row of X.
	Predict(X mat.Matrix) ([]float64, error)
}

// A ClassifierLearner fits a classifier to the labels Y of a Dataset. It is what
// meta-algorithms such as bagging, boosting and pipelines take; [LearnClassifier]
// makes one from the TrainClassifier method of any configuration.
type ClassifierLearner func(ds *Dataset) (Classifier, error)

// A RegressorLearner fits a regressor to the Target of a Dataset.
type RegressorLearner func(ds *Dataset) (Regressor, error)

// LearnClassifier turns a function that returns a model of its own type into a
// [ClassifierLearner]:
//
//	learner := mlcore.LearnClassifier(tree.Config{MaxDepth: 1}.TrainClassifier)
func LearnClassifier[M Classifier](train func(ds *Dataset) (M, error)) ClassifierLearner {
	return func(ds *Dataset) (Classifier, error) {
		if train == nil {
			return nil, errNoTrain
		}
		m, err := train(ds)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

// LearnRegressor turns a function that returns a model of its own type into a
// [RegressorLearner].
func LearnRegressor[M Regressor](train func(ds *Dataset) (M, error)) RegressorLearner {
	return func(ds *Dataset) (Regressor, error) {
		if train == nil {
			return nil, errNoTrain
		}
		m, err := train(ds)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

var errNoTrain = fmt.Errorf("%w: the function that fits a model is nil", ErrConfig)

// OnMatrix makes a function that fits to a bare matrix, such as one of your own, fit
// to a Dataset: to its X, its Y or Target, and its Weights. Level codes of
// categorical columns are handed over as the numbers that they are, and the model
// learns no names.
func OnMatrix[Y int | float64, M any](fit func(X mat.Matrix, y []Y, w []float64) (M, error)) func(ds *Dataset) (M, error) {
	return func(ds *Dataset) (M, error) {
		var none M
		if fit == nil {
			return none, errNoTrain
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
