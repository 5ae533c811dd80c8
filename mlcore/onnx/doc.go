// Package onnx writes fitted models as ONNX files, which ONNX Runtime and others run
// without Go: in Python, Java, C#, C++ or a browser. Models, pipelines and transformers
// flow in and files flow out. A model that is to be used from Go again is saved with
// package modelfile.
//
//	err := onnx.Save("iris.onnx", forest)
//
// In Python then, X being an n×4 array of float64:
//
//	session = onnxruntime.InferenceSession("iris.onnx")
//	label, probabilities = session.run(None, {"X": X})
//
// # Inputs
//
// Where all columns are numbers there is one input, X, of n×d doubles in the order of the
// columns. Where some are categories there is one input for each column, under the
// column's name: n×1 doubles or n×1 strings. The file then knows the codes of categories,
// so that no program has to repeat them:
//
//	session.run(None, {name: frame[[name]].to_numpy() for name in frame})
//
// NaN is a missing number and an empty string a missing category. What becomes of an
// unknown category is as its column says; see [mlcore.Column].
//
// # Outputs
//
// They have the names that sklearn-onnx gives them.
//
//   - label, of classifiers: n names of classes or, where classes have none, n codes as
//     64-bit integers; of clusterings: n numbers of clusters.
//   - probabilities, of those that estimate them: n×K doubles, in the order of the classes
//     or clusters.
//   - variable, of regressors: n×1 doubles; of transformers and bare networks: n×k doubles,
//     one per column that comes out.
//
// The metadata of the file are kind, feature_names and class_names, which are JSON lists,
// and target_name.
//
// # Kinds of models
//
//	written                                   as                               differs by
//	tree.Classifier, tree.Regressor           comparisons, a look-up           nothing
//	forests, ExtraTrees, bagging, voting      comparisons, look-ups, sums      rounding
//	AdaBoost, gradient, histogram boosting    comparisons, look-ups, sums      rounding
//	stacking, modelsel.ThresholdClassifier    as their parts                   rounding
//	calibration.Classifier, isotonic.Model    curves                           rounding, and see below
//	linear (all that predict)                 matrix product                   rounding
//	svm (all kinds and kernels)               matrix products                  rounding
//	svm.ProbClassifier, 3 classes or more     elimination                      1e-9
//	bayes (all kinds)                         sums of logarithms, products     rounding
//	neural (all kinds)                        matrix products                  rounding
//	cluster.KMeans, cluster.Mixture           distances                        rounding
//	preprocess (all transformers, pipelines)  by column                        rounding
//
//	not written                               why
//	neighbors, preprocess.KNNImputer          search training rows, without operator
//	cluster.DBSCAN                            searches training rows
//	cluster.Agglomerative                     labels training rows, predicts nothing
//	cluster.Density                           a density is neither class, prediction nor column
//	id3.Model                                 a branch for each category; tree.Config fits trees of two
//	metrics.ConfusionMatrix                   predicts nothing
//	functions of the caller's                 no file holds them
//
// An ensemble or a pipeline is written if all its parts are. What is not is an error that
// wraps [mlcore.ErrKind] and names the kind.
//
// # Precision
//
// All is computed in double precision, trees at their thresholds included: a row goes the
// same way as in Go. Sums may be taken in another order, so that probabilities and
// predictions differ in their last bits, in the tests by less than 1e-12 of the greatest;
// where large terms cancel, as in a linear model on columns far from 0, the difference is
// as large as what the cancelling loses. A label may differ where two classes tie up to
// rounding. So may the probabilities of an isotonic calibration, whose curves have steps:
// where the scores of two training rows differ by rounding alone, a row with such a score
// may be on the other side of the step between them. Boosted trees are added up in the
// order that Go adds them in, so that their scores are the same to the last bit. A row
// should reach the file in double precision: one that was rounded to single precision
// before may lie on the other side of a threshold.
//
// A file refuses the rows that its model refuses, such as a NaN for a linear model: the
// run fails, and the name of the node in the error says why. Only overflows are not
// refused.
//
// Files ask for ONNX 1.12 (operators of version 17, and version 3 of ai.onnx.ml) and run
// with ONNX Runtime 1.15 to 1.32. A forest takes memory for trees × classes numbers a row;
// ask for some thousands of rows at a time.
package onnx
