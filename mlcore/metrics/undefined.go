package metrics

import (
	"math"
	"strconv"
)

// Defined reports whether a score has a value, that is, is not NaN. NaN comes only
// from a formula that is 0/0.
func Defined(score float64) bool { return !math.IsNaN(score) }

// Format writes a score with the given number of decimals, or the word
// "undefined".
func Format(score float64, decimals int) string {
	if !Defined(score) {
		return "undefined"
	}
	return strconv.FormatFloat(score, 'f', decimals, 64)
}

// An UndefinedRule says what an average over classes does with the classes whose
// score is undefined: scikit-learn's zero_division.
type UndefinedRule int

const (
	// UndefinedAsZero counts an undefined score as 0, as scikit-learn does unless
	// told otherwise. It is the default, and the rule that does not reward a model
	// for a class that it never predicts rightly.
	UndefinedAsZero UndefinedRule = iota
	// UndefinedLeftOut averages over the classes whose score is defined: undefined
	// if there are none. Beware of it with F-beta, which is undefined for a class
	// that is always predicted wrongly.
	UndefinedLeftOut
	// UndefinedPropagates makes the average undefined when one of its parts is.
	UndefinedPropagates
)

// String names the rule as a reader of a table would want it.
func (r UndefinedRule) String() string {
	switch r {
	case UndefinedAsZero:
		return "counted as 0"
	case UndefinedLeftOut:
		return "left out"
	case UndefinedPropagates:
		return "what makes the average undefined"
	}
	return "UndefinedRule(" + strconv.Itoa(int(r)) + ")"
}

// average is the mean of score(k) over k < n with weights weight(k), or equal ones
// where weight is nil. Scores of weight 0 take no part.
func average(n int, score, weight func(k int) float64, rule UndefinedRule) float64 {
	scores, weights := make([]float64, 0, n), make([]float64, 0, n)
	for k := range n {
		w := 1.0
		if weight != nil {
			w = weight(k)
		}
		if w == 0 {
			continue
		}
		s := score(k)
		if !Defined(s) {
			switch rule {
			case UndefinedAsZero:
				s = 0
			case UndefinedLeftOut:
				continue
			default:
				return math.NaN()
			}
		}
		scores, weights = append(scores, s), append(weights, w)
	}
	if len(scores) == 0 {
		return math.NaN()
	}
	return weightedMean(len(scores), weights, func(at int) float64 { return scores[at] })
}
