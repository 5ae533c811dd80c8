package metrics

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// A OneVsRestAUC holds the areas under the ROC curves of each class against all
// others.
type OneVsRestAUC struct {
	// PerClass holds the K areas. That of a class that does not occur is undefined,
	// as is that of a class to which every row belongs.
	PerClass []float64
	// Macro is the mean of PerClass, undefined where one of them is.
	Macro float64
	// Weighted is the mean weighted by the true weight of the classes: those that
	// do not occur take no part.
	Weighted float64
}

// ROCAUCOneVsRest ranks rows for each class k by column k of the n×K scores:
// roc_auc_score with multi_class="ovr". Truth holds codes 0..K-1. Scores need not
// sum to 1. Errors are as in [ROC].
func ROCAUCOneVsRest(truth []int, scores mat.Matrix, w []float64) (OneVsRestAUC, error) {
	classes, err := checkMulticlass(truth, scores, w)
	if err != nil {
		return OneVsRestAUC{}, err
	}
	r := OneVsRestAUC{PerClass: make([]float64, classes)}
	support := make([]float64, classes)
	for i, t := range truth {
		support[t] += given.Weight(w, i)
	}
	is, score := make([]int, len(truth)), make([]float64, len(truth))
	for k := range classes {
		mat.Col(score, k, scores)
		for i, t := range truth {
			is[i] = int(indicator(t == k))
		}
		r.PerClass[k] = rocOf(sweepScores(is, score, w)).AUC()
	}
	area := func(k int) float64 { return r.PerClass[k] }
	r.Macro = average(classes, area, nil, UndefinedPropagates)
	r.Weighted = average(classes, area, func(k int) float64 { return support[k] }, UndefinedPropagates)
	return r, nil
}

// A OneVsOneAUC holds the areas under the ROC curves of each pair of classes.
type OneVsOneAUC struct {
	// Pairs holds the K(K-1)/2 pairs in the order (0,1), (0,2) ... (K-2,K-1).
	Pairs []PairAUC
	// Macro is the mean over the pairs, which does not depend on how frequent the
	// classes are (Hand & Till 2001, "A simple generalisation of the area under the
	// ROC curve for multiple class classification problems"). It is undefined where
	// a pair is.
	Macro float64
	// Weighted is the mean weighted by the number of rows of either class.
	Weighted float64
}

// A PairAUC is the separation of classes A < B among the rows of these two.
type PairAUC struct {
	A, B int
	// AUC is the mean of the area for A ranked by the scores of A and that for B
	// ranked by the scores of B. It is undefined where A or B does not occur.
	AUC float64
	// Rows is the number of rows of either class.
	Rows int
}

// ROCAUCOneVsOne separates each pair of classes by their columns of the n×K
// scores: roc_auc_score with multi_class="ovo", which has no sample weights.
// Truth holds codes 0..K-1. K must be at least 2, or the error wraps
// mlcore.ErrOneClass. Other errors are as in [ROC].
func ROCAUCOneVsOne(truth []int, scores mat.Matrix) (OneVsOneAUC, error) {
	classes, err := checkMulticlass(truth, scores, nil)
	if err != nil {
		return OneVsOneAUC{}, err
	}
	if classes < 2 {
		return OneVsOneAUC{}, fmt.Errorf("metrics: %w: scores has 1 column; pairs need 2", mlcore.ErrOneClass)
	}
	var r OneVsOneAUC
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			r.Pairs = append(r.Pairs, pairAUC(truth, scores, a, b))
		}
	}
	area := func(i int) float64 { return r.Pairs[i].AUC }
	r.Macro = average(len(r.Pairs), area, nil, UndefinedPropagates)
	r.Weighted = average(len(r.Pairs), area, func(i int) float64 { return float64(r.Pairs[i].Rows) }, UndefinedPropagates)
	return r, nil
}

func pairAUC(truth []int, scores mat.Matrix, a, b int) PairAUC {
	var isA, isB []int
	var scoreA, scoreB []float64
	for i, t := range truth {
		if t != a && t != b {
			continue
		}
		isA, isB = append(isA, int(indicator(t == a))), append(isB, int(indicator(t == b)))
		scoreA, scoreB = append(scoreA, scores.At(i, a)), append(scoreB, scores.At(i, b))
	}
	p := PairAUC{A: a, B: b, Rows: len(isA)}
	if len(isA) == 0 {
		p.AUC = math.NaN()
		return p
	}
	p.AUC = (rocOf(sweepScores(isA, scoreA, nil)).AUC() + rocOf(sweepScores(isB, scoreB, nil)).AUC()) / 2
	return p
}
