// Package modelsel splits data, estimates how well a learner will do on rows that
// it has not seen, and chooses its settings. A Dataset and the FitClassifier or
// FitRegressor method of any configuration or pipeline flow in; folds, scores, predictions,
// curves and, at the end of a search, a fitted model flow out.
//
//   - Splits: [TrainTestSplit] and [TrainValidationTestSplit] divide once; [KFold],
//     [StratifiedKFold], [GroupKFold], [LeaveOneOut], [ShuffleSplit],
//     [StratifiedShuffleSplit], [Predefined] and [Repeated] make folds.
//   - Judging a learner: [CrossValidate] scores every fold, [CrossValPredict],
//     [CrossValPredictProba] and [CrossValPredictScores] return what is predicted for the
//     rows left out.
//   - Choosing settings: [Search] over [Grid] or [Random] candidates, with the final
//     fit to all the rows.
//   - Judging a learner together with the choice of its settings:
//     [NestedCrossValidate], and [RotatingCrossValidate], which spares an inner
//     cross-validation by validating on the fold after the one it tests.
//   - Choosing when to say yes: [TunedThresholdConfig] finds the probability from which on
//     a classifier predicts class 1, by any score or by what mistakes cost ([CostScorer]);
//     with [FixedThresholdConfig] it is given.
//   - Curves: [LearningCurve] over training rows, [ValidationCurve] over a setting.
//
// Whether it is classification or regression is a matter of the model: the compiler
// infers it from what Predict returns.
//
// A fold depends on the splitter's seed and the fold's number alone, all
// candidates of a search see the same folds, and results do not depend on
// Options.Workers. A learner that draws at random should have a fixed seed;
// [CrossValidateEach] gives it another in each fold.
//
// # Unlike scikit-learn
//
//   - The default splitter shuffles (seed 0).
//   - A class with fewer rows than folds is an error unless AllowRare is set, where
//     scikit-learn warns.
//   - A score that is undefined on a fold is an error that names the fold.
//   - Sample weights go to the scorers as well as to the learner.
//   - Standard deviations have the divisor k-1.
//   - Losses are not negated: [Scorer] says which way is better.
package modelsel
