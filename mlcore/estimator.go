package mlcore

import "gonum.org/v1/gonum/mat"

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

// A ClassifierLearner fits a classifier to X (n×d), class codes y (n) and
// optional sample weights w (n, or nil). It is what meta-algorithms such as
// bagging, boosting and cross-validation take; [LearnClassifier] makes one from
// the FitClassifier method of any configuration.
type ClassifierLearner func(X mat.Matrix, y []int, w []float64) (Classifier, error)

// A RegressorLearner is to regression what a [ClassifierLearner] is to
// classification.
type RegressorLearner func(X mat.Matrix, y, w []float64) (Regressor, error)

// LearnClassifier lifts a fit method that returns a concrete model to a
// [ClassifierLearner]:
//
//	learner := mlcore.LearnClassifier(tree.Config{MaxDepth: 1}.FitClassifier)
func LearnClassifier[M Classifier](fit func(mat.Matrix, []int, []float64) (M, error)) ClassifierLearner {
	return func(X mat.Matrix, y []int, w []float64) (Classifier, error) {
		m, err := fit(X, y, w)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

// LearnRegressor lifts a fit method that returns a concrete model to a
// [RegressorLearner].
func LearnRegressor[M Regressor](fit func(mat.Matrix, []float64, []float64) (M, error)) RegressorLearner {
	return func(X mat.Matrix, y, w []float64) (Regressor, error) {
		m, err := fit(X, y, w)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}
