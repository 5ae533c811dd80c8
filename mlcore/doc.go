// Package mlcore holds the contracts of the mllabs machine-learning library:
// what data look like on the way in ([Dataset], [Column]), what a fitted model
// can be asked ([Classifier], [ProbClassifier], [Regressor]), what can be
// fitted ([ClassifierLearner], [RegressorLearner]), which errors come back and
// where randomness comes from ([NewRand]).
//
// The algorithms live in the packages below this one: tree, ensemble,
// neighbors and so on. They share these conventions:
//
//   - A configuration is a plain struct whose zero value is usable and whose
//     defaults are documented on its fields. Its Fit methods return a distinct
//     fitted model, so a model that has not been fitted cannot be expressed:
//
//     model, err := tree.Config{MaxDepth: 4}.FitClassifier(X, y, nil)
//
//   - X is an n×d [gonum.org/v1/gonum/mat.Matrix], rows are samples and columns
//     are features; *mat.Dense takes a fast path. y holds class codes 0..K-1 or,
//     for regression, real targets. w holds one non-negative weight a sample;
//     nil means that all are equal to 1.
//
//   - A categorical column of X holds level codes 0..L-1. [Dataset.Levels] says
//     how many levels each column has, and the learners that treat categories
//     as categories take that slice in their configuration.
//
//   - Fitted models are immutable and safe for concurrent use. They implement
//     encoding.BinaryMarshaler and encoding.BinaryUnmarshaler (pipelines, whose
//     last model can be of any type, are read by preprocess.DecodeClassifier);
//     predictions after a round trip are bit-equal.
//
//   - Bad data and bad configurations come back as errors that wrap one of the
//     sentinels of this package and name the row and column; see [ErrShape] and
//     its neighbours. Only a call that no data could make right panics.
//
//   - One seed gives the same bytes whatever the number of workers, and the same
//     parameters, predictions and probabilities, to the last bit, on every
//     processor. P-values and the ends of confidence intervals may differ in
//     their last bits, and what a function of your own makes of its arguments.
//
// Data flow one way: package datasets reads CSV into a gota frame, package
// frame turns that into a Dataset, package preprocess may transform it, a Fit
// method makes a model, and packages metrics, modelsel and plotx judge and draw
// its predictions.
package mlcore
