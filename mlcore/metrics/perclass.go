package metrics

import "math"

// TP, the true positives, are the rows of class k that were predicted as k.
func (m *ConfusionMatrix) TP(k int) float64 { return m.row(k)[k] }

// FP, the false positives, are the rows of other classes that were predicted as k.
func (m *ConfusionMatrix) FP(k int) float64 {
	sum := 0.0
	for t := range m.classes {
		if t != k {
			sum += m.row(t)[k]
		}
	}
	return sum
}

// FN, the false negatives, are the rows of class k that were predicted as others.
func (m *ConfusionMatrix) FN(k int) float64 {
	sum := 0.0
	for p, v := range m.row(k) {
		if p != k {
			sum += v
		}
	}
	return sum
}

// TN, the true negatives, are the rows of other classes that were predicted as
// other classes, rightly or not.
func (m *ConfusionMatrix) TN(k int) float64 {
	_ = m.truth[k] // as all methods of a class, panics where there is none
	sum := 0.0
	for t := range m.classes {
		for p, v := range m.row(t) {
			if t != k && p != k {
				sum += v
			}
		}
	}
	return sum
}

// Precision is TP/(TP+FP): of the rows predicted as class k, the share that are.
// It is undefined where k is never predicted.
func (m *ConfusionMatrix) Precision(k int) float64 { return m.TP(k) / (m.TP(k) + m.FP(k)) }

// Recall is TP/(TP+FN): of the rows of class k, the share that were found. It is
// undefined where k never occurs.
func (m *ConfusionMatrix) Recall(k int) float64 { return m.TP(k) / (m.TP(k) + m.FN(k)) }

// Specificity is TN/(TN+FP): of the rows of other classes, the share that were not
// taken for k. It is undefined where all rows are of class k.
func (m *ConfusionMatrix) Specificity(k int) float64 { return m.TN(k) / (m.TN(k) + m.FP(k)) }

// F1 is the harmonic mean of precision and recall of class k. It is undefined
// where no row of class k was predicted as k: then both are 0, or one is itself
// undefined.
func (m *ConfusionMatrix) F1(k int) float64 { return m.FBeta(k, 1) }

// FBeta is (1+β²) P R / (β² P + R) of class k. A β above 1 gives more weight to
// recall, one below 1 to precision; 0 gives the precision and +Inf the recall.
// Only the square of β matters, and a NaN gives NaN. It is undefined where F1 is.
// (The CO395 notes say in words that a higher β favours precision; their formula,
// which is this one, favours recall.)
//
// scikit-learn computes it as (1+β²) TP / ((1+β²) TP + β² FN + FP), which is equal
// where both are defined, and 0 where the class occurs but is never predicted
// rightly.
func (m *ConfusionMatrix) FBeta(k int, beta float64) float64 {
	return fBeta(m.TP(k), m.FP(k), m.FN(k), beta)
}

func fBeta(tp, fp, fn, beta float64) float64 {
	if tp == 0 {
		return math.NaN()
	}
	by := unit(max(tp, fp, fn))
	tp, fp, fn = float64(tp*by), float64(fp*by), float64(fn*by)
	b := float64(beta * beta)
	if b > 0x1p100 { // the limit, to the last bit, and no Inf/Inf on the way
		return tp / (tp + fn)
	}
	return float64((1+b)*tp) / (float64((1+b)*tp) + float64(b*fn) + fp)
}

// BalancedAccuracy is the mean recall of the classes that occur.
func (m *ConfusionMatrix) BalancedAccuracy() float64 {
	return average(m.classes, m.Recall, nil, UndefinedLeftOut)
}

// A Summary is precision, recall and F1 over all classes.
type Summary struct {
	Precision, Recall, F1 float64
}

// Macro is the plain mean over the classes of each score; its F1 is the mean of
// the F1 scores, not the F1 of the mean precision and recall. The rule says what
// becomes of classes whose score is undefined, including those that neither
// occur nor are predicted.
func (m *ConfusionMatrix) Macro(rule UndefinedRule) Summary {
	return m.summary(1, nil, rule)
}

// Weighted is as [ConfusionMatrix.Macro] with each class weighted by its support:
// classes that never occur take no part.
func (m *ConfusionMatrix) Weighted(rule UndefinedRule) Summary {
	return m.summary(1, m.Support, rule)
}

// Micro sums TP, FP and FN over the classes before it divides. As each row has
// one true and one predicted class, all three equal the accuracy, except that F1
// is undefined where the accuracy is 0.
func (m *ConfusionMatrix) Micro() Summary {
	tp, wrong := m.right(), 0.0
	for k := range m.classes {
		wrong += m.FN(k) // every miss of one class is a false positive of another
	}
	share := tp / (tp + wrong)
	return Summary{Precision: share, Recall: share, F1: fBeta(tp, wrong, wrong, 1)}
}

// MacroFBeta is the plain mean of [ConfusionMatrix.FBeta] over the classes.
func (m *ConfusionMatrix) MacroFBeta(beta float64, rule UndefinedRule) float64 {
	return m.summary(beta, nil, rule).F1
}

// WeightedFBeta is the mean of [ConfusionMatrix.FBeta] weighted by support.
func (m *ConfusionMatrix) WeightedFBeta(beta float64, rule UndefinedRule) float64 {
	return m.summary(beta, m.Support, rule).F1
}

// summary has F-beta in the place of F1.
func (m *ConfusionMatrix) summary(beta float64, weight func(int) float64, rule UndefinedRule) Summary {
	f := func(k int) float64 { return m.FBeta(k, beta) }
	return Summary{
		Precision: average(m.classes, m.Precision, weight, rule),
		Recall:    average(m.classes, m.Recall, weight, rule),
		F1:        average(m.classes, f, weight, rule),
	}
}

// anyUndefined reports whether some class lacks precision, recall or F1.
func (m *ConfusionMatrix) anyUndefined() bool {
	for k := range m.classes {
		// F1 is undefined wherever one of the others is.
		if !Defined(m.F1(k)) {
			return true
		}
	}
	return false
}
