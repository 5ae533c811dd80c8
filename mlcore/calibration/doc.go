// Package calibration turns the scores of any classifier into probabilities that can
// be believed. A learner and training rows flow in, and a classifier flows out: of
// 100 rows to which it gives a class the probability 0.8, about 80 are of that
// class.
//
//	learner := mlcore.LearnClassifier(svm.LinearConfig{}.FitClassifier)
//	model, err := calibration.Config{Learner: learner}.FitClassifier(ds)
//
// Scores of the rows that a model was fitted to are too good, so each model of a
// cross-validation is calibrated on the rows that it has not seen: by a sigmoid (Platt,
// 1999, "Probabilistic outputs for support vector machines") or by an isotonic function
// (Zadrozny & Elkan, 2002, "Transforming classifier scores into accurate multiclass
// probability estimates"). Package metrics has the Calibration curve that shows whether
// it is needed, and the losses that say whether it helped.
package calibration
