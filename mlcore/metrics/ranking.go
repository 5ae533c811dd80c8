package metrics

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// A ROCCurve is the receiver operating characteristic of a score: a point for each
// threshold at or above which rows are called positive.
type ROCCurve struct {
	// FPR is the false positive rate FP/(FP+TN) and TPR the true positive rate, or
	// recall, TP/(TP+FN). Both rise from 0 to 1. FPR is undefined throughout where
	// there are no negative rows, and TPR where there are no positive ones.
	FPR, TPR []float64
	// Thresholds falls: +Inf, at which nothing is positive, then each distinct
	// score.
	Thresholds []float64
}

// Points returns FPR and TPR, the coordinates of the curve, which package plotx draws.
func (c ROCCurve) Points() (fpr, tpr []float64) { return c.FPR, c.TPR }

// AUC is the area under the curve by the trapezoidal rule: the chance that a
// positive row scores above a negative one, ties counting one half. It is
// undefined where there is only one class.
func (c ROCCurve) AUC() float64 { return trapezoids(c.FPR, c.TPR) }

// ROC sweeps a threshold over the scores of rows whose truth is 0 or 1: roc_curve
// with every threshold (drop_intermediate=False). Rows of equal score pass
// together, and rows of weight 0 are treated as absent. Errors wrap
// mlcore.ErrEmpty, ErrShape, ErrLabel, ErrNonFinite or ErrWeight.
func ROC(truth []int, score, w []float64) (ROCCurve, error) {
	if err := checkBinary(truth, score, w); err != nil {
		return ROCCurve{}, err
	}
	return rocOf(sweepScores(truth, score, w)), nil
}

// ROCOn is [ROC] of the rows of a Dataset of two classes, with its sample weights: proba
// is the n×2 matrix that PredictProba returns, and class 1 the positive one. Another
// number of classes is an error that wraps mlcore.ErrLabel, and another number of
// columns or rows one that wraps ErrShape.
func ROCOn(ds *mlcore.Dataset, proba mat.Matrix) (ROCCurve, error) {
	if ds == nil || ds.Y == nil || ds.NumClasses() != 2 {
		return ROCCurve{}, fmt.Errorf("metrics: %w: a ROC curve is of two classes; ROCAUCOneVsRest is for more", mlcore.ErrLabel)
	}
	if proba == nil {
		return ROCCurve{}, fmt.Errorf("metrics: %s%w: there are no probabilities", given.Prefix(ds.Name), mlcore.ErrEmpty)
	}
	if r, c := proba.Dims(); r != ds.Len() || c != 2 {
		return ROCCurve{}, fmt.Errorf("metrics: %s%w: %d×%d probabilities for %d rows of two classes", given.Prefix(ds.Name), mlcore.ErrShape, r, c, ds.Len())
	}
	curve, err := ROC(ds.Y, mat.Col(nil, 1, proba), ds.Weights)
	if err != nil {
		return curve, fmt.Errorf("%s%w", given.Prefix(ds.Name), err)
	}
	return curve, nil
}

func rocOf(s sweep) ROCCurve {
	n := len(s.thresholds)
	c := ROCCurve{make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)}
	c.Thresholds[0] = math.Inf(1)
	copy(c.Thresholds[1:], s.thresholds)
	for i := range n {
		c.FPR[i+1] = s.fp[i] / s.fp[n-1]
		c.TPR[i+1] = s.tp[i] / s.tp[n-1]
	}
	// Where a class is missing the first point is 0/0 like the others.
	c.FPR[0], c.TPR[0] = 0/s.fp[n-1], 0/s.tp[n-1]
	return c
}

// ROCAUC is the area under the ROC curve: roc_auc_score for two classes. It is
// undefined where truth holds one class only.
func ROCAUC(truth []int, score, w []float64) (float64, error) {
	c, err := ROC(truth, score, w)
	if err != nil {
		return 0, err
	}
	return c.AUC(), nil
}

// A PRCurve is the precision and recall of a score, a point for each threshold at
// or above which rows are called positive.
type PRCurve struct {
	// Precision and Recall have one point for each threshold and a last one,
	// precision 1 and recall 0, that belongs to no threshold. Recall falls. It is
	// undefined at the thresholds where there are no positive rows (scikit-learn
	// puts 1).
	Precision, Recall []float64
	// Thresholds holds the distinct scores, rising.
	Thresholds []float64
}

// Points returns Recall and Precision, the coordinates of the curve, which package plotx
// draws.
func (c PRCurve) Points() (recall, precision []float64) { return c.Recall, c.Precision }

// AveragePrecision is the sum over the thresholds of precision times the gain in
// recall: the area under the curve as steps, without interpolation. It is
// undefined where there are no positive rows (scikit-learn puts 0).
func (c PRCurve) AveragePrecision() float64 {
	sum := 0.0
	for i := range c.Thresholds {
		sum += float64((c.Recall[i] - c.Recall[i+1]) * c.Precision[i])
	}
	return sum
}

// PrecisionRecall sweeps a threshold over the scores of rows whose truth is 0 or
// 1: precision_recall_curve. Ties, weights and errors are as in [ROC].
func PrecisionRecall(truth []int, score, w []float64) (PRCurve, error) {
	if err := checkBinary(truth, score, w); err != nil {
		return PRCurve{}, err
	}
	s := sweepScores(truth, score, w)
	n := len(s.thresholds)
	c := PRCurve{make([]float64, n+1), make([]float64, n+1), make([]float64, n)}
	for i := range n {
		c.Thresholds[n-1-i] = s.thresholds[i]
		c.Precision[n-1-i] = s.tp[i] / (s.tp[i] + s.fp[i])
		c.Recall[n-1-i] = s.tp[i] / s.tp[n-1]
	}
	c.Precision[n] = 1
	return c, nil
}

// AveragePrecision is that of the precision-recall curve of the scores:
// average_precision_score.
func AveragePrecision(truth []int, score, w []float64) (float64, error) {
	c, err := PrecisionRecall(truth, score, w)
	if err != nil {
		return 0, err
	}
	return c.AveragePrecision(), nil
}

// AUC is the area under any curve through the points (x, y) by the trapezoidal
// rule. The x must rise or fall throughout, or the error wraps
// mlcore.ErrConfig; fewer than two points are an error that wraps ErrEmpty, and
// an area that overflows one that wraps ErrNonFinite.
func AUC(x, y []float64) (float64, error) {
	if len(x) != len(y) {
		return 0, fmt.Errorf("metrics: %w: %d x and %d y", mlcore.ErrShape, len(x), len(y))
	}
	if len(x) < 2 {
		return 0, fmt.Errorf("metrics: %w: %d points; an area needs at least 2", mlcore.ErrEmpty, len(x))
	}
	if err := checkFinite("x", x); err != nil {
		return 0, err
	}
	if err := checkFinite("y", y); err != nil {
		return 0, err
	}
	if slices.IsSorted(x) {
		return finiteArea(trapezoids(x, y))
	}
	for i := 1; i < len(x); i++ {
		if x[i] > x[i-1] {
			return 0, fmt.Errorf("metrics: %w: x rises in row %d and falls elsewhere; sort the points", mlcore.ErrConfig, i)
		}
	}
	return finiteArea(-trapezoids(x, y))
}

func finiteArea(area float64) (float64, error) {
	if area-area != 0 {
		return 0, fmt.Errorf("metrics: %w: the area overflows; rescale the points", mlcore.ErrNonFinite)
	}
	return area, nil
}

func trapezoids(x, y []float64) float64 {
	area := 0.0
	for i := 1; i < len(x); i++ {
		area += float64((x[i] - x[i-1]) * (y[i] + y[i-1]) / 2)
	}
	return area
}

// A sweep is the weight of true and of false positives at each distinct score,
// the highest first.
type sweep struct {
	thresholds, tp, fp []float64
}

// sweepScores is for rows that checkBinary has passed, some of which have weight.
func sweepScores(truth []int, score, w []float64) sweep {
	// Scores travel with their rows: a sort that looked them up would wait for
	// memory.
	type ranked struct {
		score float64
		row   int
	}
	order := make([]ranked, 0, len(truth))
	for i := range truth {
		if given.Weight(w, i) > 0 {
			order = append(order, ranked{score[i], i})
		}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.row - b.row
	})
	var s sweep
	tp, fp := 0.0, 0.0
	for at, r := range order {
		if truth[r.row] == 1 {
			tp += given.Weight(w, r.row)
		} else {
			fp += given.Weight(w, r.row)
		}
		if at+1 == len(order) || order[at+1].score != r.score {
			s.thresholds = append(s.thresholds, r.score)
			s.tp = append(s.tp, tp)
			s.fp = append(s.fp, fp)
		}
	}
	return s
}
