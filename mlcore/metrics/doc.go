// Package metrics judges predictions. True labels or targets and the predictions of
// a model for the same rows flow in; scores, curves and the confusion matrix flow out.
// Names are scikit-learn's.
//
//   - Predicted classes: [Confusion] counts them, [ConfusionOn] with the class names
//     and weights of a Dataset; the [ConfusionMatrix] gives accuracy, precision,
//     recall, F-beta, their averages, Cohen's kappa and Matthews' coefficient.
//     [Accuracy], [ErrorRate] and [TopKAccuracy] give a single score in one call.
//     [ConfusionFromCounts] takes a printed table, [PoolConfusion] adds those of folds.
//   - Scores that rank: [ROC], [ROCOn] for the rows of a Dataset, [PrecisionRecall],
//     [ROCAUC], [AveragePrecision], and for more than two classes [ROCAUCOneVsRest] and
//     [ROCAUCOneVsOne]. [AUC] is the area under any curve.
//   - Probabilities: [LogLoss], [BinaryLogLoss], [BrierScore], [MulticlassBrierScore],
//     [Calibration].
//   - Real targets: [MSE], [RMSE], [MAE], [MedianAE], [R2], [MaxError].
//   - Clusters: [Silhouette], [CalinskiHarabasz], [AdjustedRand].
//
// Truth comes first, then the prediction, then where it has a meaning the sample
// weights w, of which nil means that all are 1. In two-class functions truth is 0
// or 1, and 1 is the positive class.
//
// # Undefined scores
//
// A score whose formula is 0/0 is NaN, and nothing else is: inputs with NaN or an
// infinity are refused. [Defined] tells the two apart and [Format] writes the word
// "undefined". These scores can be undefined: the precision of a class that is
// never predicted, the recall of a class that never occurs, F-beta of a class
// without one right prediction, R2 of a constant target and the area under the ROC
// curve of one class alone. Averages over classes take an [UndefinedRule], which
// says what to do with them. scikit-learn puts 0 in the place of most of these and
// warns.
//
// # Formulas
//
// TP, FP, FN and TN are, for one class against the rest, the weights of the true
// positives, the false positives, the false negatives and the true negatives:
//
//	precision P    TP / (TP+FP)
//	recall R       TP / (TP+FN)
//	F-beta         (1+β²) P R / (β² P + R)                   van Rijsbergen 1979
//	kappa          (p_o - p_e) / (1 - p_e)                   Cohen 1960, 1968
//	Matthews       (c s - Σ t_k p_k) / √((s²-Σ p_k²)(s²-Σ t_k²))  Gorodkin 2004
//	AUC            P(positive scores above negative) + ½ P(tie)   Fawcett 2006
//	one-vs-one     mean over pairs of classes of AUC         Hand & Till 2001
//	average prec.  Σ (R_i - R_(i-1)) P_i
//	log loss       -1/n Σ log p_i(true class), p_i clipped at 2^-52
//	Brier          1/n Σ (p_i - y_i)²                        Brier 1950
//	R²             1 - Σ (y-f)² / Σ (y-mean y)²
//
// where c is the weight of the rows predicted right, s that of all rows, t_k and
// p_k those of the rows that are and that are predicted class k, p_o = c/s and
// p_e = Σ t_k p_k / s².
//
// Errors wrap the sentinels of package mlcore, or [ErrProbability], and name the
// row, counted from 0. All results are deterministic: sums run in a fixed order, and
// rows of equal score are taken together.
package metrics
