package metrics_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/mat"
)

var nan = math.NaN()

func fromCounts(t *testing.T, k int, counts ...float64) *metrics.ConfusionMatrix {
	t.Helper()
	return must[*metrics.ConfusionMatrix](t)(metrics.ConfusionFromCounts(mat.NewDense(k, k, counts)))
}

// The CO395 notes' table of four measures.
func TestMeasuresOfCO395(t *testing.T) {
	// TP 3, FN 1, FP 2, TN 2, with 1 the positive class.
	truth := []int{1, 1, 1, 1, 0, 0, 0, 0}
	predicted := []int{1, 1, 1, 0, 1, 1, 0, 0}
	m := must[*metrics.ConfusionMatrix](t)(metrics.Confusion(truth, predicted, 2, nil))
	nearAll(t, "TP FN FP TN", []float64{m.TP(1), m.FN(1), m.FP(1), m.TN(1)}, []float64{3, 1, 2, 2})
	near(t, "accuracy", m.Accuracy(), 5./8)
	near(t, "error", m.Error(), 3./8)
	near(t, "precision", m.Precision(1), 3./5)
	near(t, "recall", m.Recall(1), 3./4)
	near(t, "F1", m.F1(1), 2./3)
	near(t, "specificity", m.Specificity(1), 2./4)
}

// The CO395 notes' imbalanced data set, where F1 of class 2 is "N/A".
func TestImbalancedOfCO395(t *testing.T) {
	m := fromCounts(t, 2, 700, 300, 100, 0)
	near(t, "R(c1)", m.Recall(0), 0.7)
	near(t, "P(c1)", m.Precision(0), 0.875)
	near(t, "F1(c1)", m.F1(0), 7./9) // 0.778
	near(t, "R(c2)", m.Recall(1), 0)
	near(t, "P(c2)", m.Precision(1), 0) // 0/300
	if metrics.Defined(m.F1(1)) {
		t.Errorf("F1(c2) is %v, not undefined", m.F1(1))
	}
	near(t, "A", m.Accuracy(), 700./1100) // 0.636
	for _, c := range []struct {
		got  float64
		text string
	}{{m.F1(0), "0.778"}, {m.Accuracy(), "0.636"}, {m.F1(1), "undefined"}} {
		if got := metrics.Format(c.got, 3); got != c.text {
			t.Errorf("printed as %s, the notes have %s", got, c.text)
		}
	}
	micro := m.Micro()
	nearAll(t, "micro-averaged P, R and F1", []float64{micro.Precision, micro.Recall, micro.F1}, []float64{m.Accuracy(), m.Accuracy(), m.Accuracy()})
	near(t, "macro F1, undefined as 0", m.Macro(metrics.UndefinedAsZero).F1, 7./18)
	near(t, "macro F1 of the defined", m.Macro(metrics.UndefinedLeftOut).F1, 7./9)
	near(t, "macro F1, undefined", m.Macro(metrics.UndefinedPropagates).F1, nan)
	near(t, "macro precision", m.Macro(metrics.UndefinedPropagates).Precision, 0.4375)
	near(t, "weighted F1", m.Weighted(metrics.UndefinedAsZero).F1, 1000./1100*7/9)
	// Each row divided by its sum, as the notes do.
	n := m.Normalized(metrics.ByTrue)
	nearAll(t, "normalised", n.RawMatrix().Data, []float64{0.7, 0.3, 1, 0})
}

// The oracle is the formulas: every score is the same in weights of any unit. By a
// power of two it is so to the last bit.
func TestWeightsOfAnyUnit(t *testing.T) {
	truth, predicted := []int{0, 1, 1, 0, 2, 2, 2}, []int{0, 1, 0, 0, 2, 1, 0}
	weights := []float64{1, 2, 1, 3, 1, 1, 0.5}
	is := []int{0, 1, 1, 0, 1, 0, 1}
	prob := []float64{0.25, 0.75, 0, 0.5, 1, 1, 0.5}
	proba := oracle.Matrix([][]float64{{0.5, 0.25, 0.25}, {0, 1, 0}, {1, 0, 0}, {0.5, 0.5, 0}, {0, 0, 1}, {0, 1, 0}, {0.25, 0.5, 0.25}})
	target, forecast := []float64{1, 2, 3, 4, 5, 7, 6}, []float64{1.5, 2, 3.5, 4, 5, 6, 8}
	scores := func(unit float64) map[string]float64 {
		w := make([]float64, len(weights))
		for i := range w {
			w[i] = weights[i] * unit
		}
		number := must[float64](t)
		m := must[*metrics.ConfusionMatrix](t)(metrics.Confusion(truth, predicted, 3, w))
		ovr := must[metrics.OneVsRestAUC](t)(metrics.ROCAUCOneVsRest(truth, proba, w))
		return map[string]float64{
			"accuracy": m.Accuracy(), "error": m.Error(), "balanced accuracy": m.BalancedAccuracy(),
			"kappa": m.CohenKappa(), "linear kappa": m.WeightedKappa(metrics.LinearWeights), "quadratic kappa": m.WeightedKappa(metrics.QuadraticWeights),
			"Matthews": m.Matthews(), "F of a huge beta": m.FBeta(1, 0x1p49), "macro": m.Macro(metrics.UndefinedAsZero).F1,
			"weighted": m.Weighted(metrics.UndefinedAsZero).F1, "micro": m.Micro().F1,
			"log loss": number(metrics.LogLoss(truth, proba, w)), "Brier of columns": number(metrics.MulticlassBrierScore(truth, proba, w)),
			"binary log loss": number(metrics.BinaryLogLoss(is, prob, w)), "Brier": number(metrics.BrierScore(is, prob, w)),
			"AUC": number(metrics.ROCAUC(is, prob, w)), "average precision": number(metrics.AveragePrecision(is, prob, w)),
			"macro AUC": ovr.Macro, "weighted AUC": ovr.Weighted,
			"MSE": number(metrics.MSE(target, forecast, w)), "MAE": number(metrics.MAE(target, forecast, w)),
			"median": number(metrics.MedianAE(target, forecast, w)), "R2": number(metrics.R2(target, forecast, w)),
		}
	}
	want := scores(1)
	for _, unit := range []float64{0x1p-1000, 0x1p-700, 0x1p-500, 0x1p-300, 0x1p-190, 0x1p190, 0x1p300, 0x1p500, 0x1p700, 0x1p1020} {
		for name, got := range scores(unit) {
			if got != want[name] {
				t.Errorf("%s is %v with weights times %v, %v without", name, got, unit, want[name])
			}
		}
	}
}

// The oracle is Matthews' formula for two classes, (TP TN - FP FN) / √((TP+FP)
// (TP+FN)(TN+FP)(TN+FN)), where the weights of the classes are far apart: it is
// √(TN/2(TN+1)) of TP 1, FN 1 and FP 0, and the same of the classes in each other's
// place.
func TestMatthewsOfUnevenWeights(t *testing.T) {
	for _, heavy := range []float64{1, 1e3, 1e10, 1e20, 1e100, 1e200} {
		want := math.Sqrt(heavy / (heavy + 1) / 2)
		near(t, "class 1 light", fromCounts(t, 2, heavy, 0, 1, 1).Matthews(), want)
		near(t, "class 0 light", fromCounts(t, 2, 1, 1, 0, heavy).Matthews(), want)
		near(t, "all wrong", fromCounts(t, 2, 0, heavy, 1, 0).Matthews(), -1)
		near(t, "all right", fromCounts(t, 3, heavy, 0, 0, 0, 1/heavy, 0, 0, 0, 2).Matthews(), 1)
	}
}

// What each score is where rows of one kind are missing, by its formula.
func TestUndefined(t *testing.T) {
	allRight := fromCounts(t, 2, 5, 0, 0, 0) // one class, and nothing else is said
	allWrong := fromCounts(t, 2, 0, 3, 2, 0)
	oneSaid := fromCounts(t, 2, 4, 0, 1, 0)
	unused := fromCounts(t, 3, 2, 1, 0, 1, 2, 0, 0, 0, 0)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"one class: accuracy", allRight.Accuracy(), 1},
		{"one class: its precision", allRight.Precision(0), 1},
		{"one class: the other's precision", allRight.Precision(1), nan},
		{"one class: the other's recall", allRight.Recall(1), nan},
		{"one class: the other's F1", allRight.F1(1), nan},
		{"one class: specificity", allRight.Specificity(0), nan},
		{"one class: balanced accuracy", allRight.BalancedAccuracy(), 1},
		{"one class: kappa", allRight.CohenKappa(), nan},
		{"one class: Matthews", allRight.Matthews(), nan},
		{"one class: weighted F1", allRight.Weighted(metrics.UndefinedPropagates).F1, 1},
		{"one class: macro F1", allRight.Macro(metrics.UndefinedAsZero).F1, 0.5},
		{"all wrong: micro precision", allWrong.Micro().Precision, 0},
		{"all wrong: micro F1", allWrong.Micro().F1, nan},
		{"all wrong: macro F1 of none", allWrong.Macro(metrics.UndefinedLeftOut).F1, nan},
		{"all wrong: macro F1", allWrong.Macro(metrics.UndefinedAsZero).F1, 0},
		{"all wrong: Matthews", allWrong.Matthews(), -1},
		{"all wrong: kappa", allWrong.CohenKappa(), 1 - 1/(13./25)}, // p_e = (3·2 + 2·3)/25
		{"one class said: kappa", oneSaid.CohenKappa(), 0},
		{"one class said: Matthews", oneSaid.Matthews(), nan},
		{"unused class: balanced accuracy", unused.BalancedAccuracy(), 2. / 3},
		{"unused class: kappa", unused.CohenKappa(), (4./6 - 1./2) / (1 - 1./2)},
		{"unused class: share of its row", unused.Normalized(metrics.ByTrue).At(2, 0), nan},
		{"unused class: share of its column", unused.Normalized(metrics.ByPredicted).At(0, 2), nan},
		{"unused class: share of all", unused.Normalized(metrics.ByAll).At(2, 2), 0},
	} {
		near(t, c.name, c.got, c.want)
	}
}

// F-beta by its formula for P = 3/5, R = 3/4.
func TestFBeta(t *testing.T) {
	m := fromCounts(t, 2, 2, 2, 1, 3)
	for _, c := range []struct{ beta, want float64 }{
		{0, 3. / 5},
		{0.5, 1.25 * 0.45 / (0.25*0.6 + 0.75)},
		{1, 2. / 3},
		{2, 5 * 0.45 / (4*0.6 + 0.75)},
		{-2, 5 * 0.45 / (4*0.6 + 0.75)},
		{1e50, 3. / 4},
		{1e154, 3. / 4},
		{1e200, 3. / 4},
		{math.Inf(1), 3. / 4},
		{nan, nan},
	} {
		near(t, "F", m.FBeta(1, c.beta), c.want)
	}
}

// Four rows by hand: scores .8 (1), .4 (0), .35 (1), .1 (0). Of the four pairs of
// a positive and a negative, three are in order.
func TestCurvesByHand(t *testing.T) {
	truth, score := []int{0, 0, 1, 1}, []float64{0.1, 0.4, 0.35, 0.8}
	roc := must[metrics.ROCCurve](t)(metrics.ROC(truth, score, nil))
	nearAll(t, "FPR", roc.FPR, []float64{0, 0, 0.5, 0.5, 1})
	nearAll(t, "TPR", roc.TPR, []float64{0, 0.5, 0.5, 1, 1})
	near(t, "AUC", roc.AUC(), 0.75)
	pr := must[metrics.PRCurve](t)(metrics.PrecisionRecall(truth, score, nil))
	nearAll(t, "precision", pr.Precision, []float64{1. / 2, 2. / 3, 1. / 2, 1, 1})
	nearAll(t, "recall", pr.Recall, []float64{1, 1, 0.5, 0.5, 0})
	near(t, "average precision", pr.AveragePrecision(), 0.5*1+0.5*2/3)
}

func TestCurvesAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		name    string
		truth   []int
		score   []float64
		w       []float64
		auc, ap float64
	}{
		{"perfect", []int{0, 0, 1}, []float64{1, 2, 3}, nil, 1, 1},
		{"reversed", []int{1, 0, 0}, []float64{1, 2, 3}, nil, 0, 1. / 3},
		{"all tied", []int{0, 1, 0, 1, 1}, []float64{2, 2, 2, 2, 2}, nil, 0.5, 3. / 5},
		{"half tied", []int{0, 1}, []float64{-1, -1}, nil, 0.5, 0.5},
		{"zero of either sign", []int{0, 1}, []float64{0, math.Copysign(0, -1)}, nil, 0.5, 0.5},
		{"positives only", []int{1, 1}, []float64{1, 2}, nil, nan, 1},
		{"negatives only", []int{0, 0}, []float64{1, 2}, nil, nan, nan},
		{"one row", []int{1}, []float64{1}, nil, nan, 1},
		{"no weight on negatives", []int{0, 1, 1}, []float64{3, 1, 2}, []float64{0, 1, 1}, nan, 1},
		{"a weight is a number of copies", []int{0, 1, 1}, []float64{2, 1, 3}, []float64{1, 2, 1}, 1. / 3, 1./3 + 2./3*3/4},
	} {
		t.Run(c.name, func(t *testing.T) {
			near(t, "AUC", must[float64](t)(metrics.ROCAUC(c.truth, c.score, c.w)), c.auc)
			near(t, "average precision", must[float64](t)(metrics.AveragePrecision(c.truth, c.score, c.w)), c.ap)
			// Without rows of a class its rate is 0/0 at every threshold, the first too.
			curve := must[metrics.ROCCurve](t)(metrics.ROC(c.truth, c.score, c.w))
			if metrics.Defined(curve.FPR[0]) != metrics.Defined(curve.FPR[1]) || metrics.Defined(curve.TPR[0]) != metrics.Defined(curve.TPR[1]) {
				t.Errorf("rates begin with %v, %v and go on with %v, %v", curve.FPR[0], curve.TPR[0], curve.FPR[1], curve.TPR[1])
			}
			// The area is the share of pairs in order (Mann & Whitney 1947).
			pairs, inOrder := 0.0, 0.0
			for i, a := range c.truth {
				for j, b := range c.truth {
					if a == 1 && b == 0 {
						w := 1.0
						if c.w != nil {
							w = c.w[i] * c.w[j]
						}
						pairs += w
						switch {
						case c.score[i] > c.score[j]:
							inOrder += w
						case c.score[i] == c.score[j]:
							inOrder += w / 2
						}
					}
				}
			}
			near(t, "pairs in order", inOrder/pairs, c.auc)
		})
	}
}

func TestAreaOfPoints(t *testing.T) {
	near(t, "rising", must[float64](t)(metrics.AUC([]float64{0, 1, 3}, []float64{0, 2, 2})), 5)
	near(t, "falling", must[float64](t)(metrics.AUC([]float64{3, 1, 0}, []float64{2, 2, 0})), 5)
	near(t, "falling, with a part upright", must[float64](t)(metrics.AUC([]float64{3, 1, 1, 0}, []float64{2, 2, 1, 0})), 4.5)
	near(t, "upright", must[float64](t)(metrics.AUC([]float64{1, 1}, []float64{0, 2})), 0)
}

func TestMulticlassAreasAtTheEdges(t *testing.T) {
	// By hand: of two classes there is one pair, in which either column puts three of the
	// four pairs of rows in order.
	pair := must[metrics.OneVsOneAUC](t)(metrics.ROCAUCOneVsOne([]int{0, 0, 1, 1}, mat.NewDense(4, 2, []float64{.9, .1, .6, .4, .65, .35, .2, .8})))
	near(t, "one pair", pair.Macro, 0.75)
	// Class 2 does not occur.
	scores := oracle.Matrix([][]float64{{0.6, 0.3, 0.1}, {0.2, 0.7, 0.1}, {0.3, 0.4, 0.3}, {0.1, 0.8, 0.1}})
	truth := []int{0, 1, 0, 1}
	ovr := must[metrics.OneVsRestAUC](t)(metrics.ROCAUCOneVsRest(truth, scores, nil))
	nearAll(t, "one against rest", ovr.PerClass, []float64{1, 1, nan})
	near(t, "macro", ovr.Macro, nan)
	near(t, "weighted", ovr.Weighted, 1)
	ovo := must[metrics.OneVsOneAUC](t)(metrics.ROCAUCOneVsOne(truth, scores))
	for i, want := range []metrics.PairAUC{{A: 0, B: 1, AUC: 1, Rows: 4}, {A: 0, B: 2, AUC: nan, Rows: 2}, {A: 1, B: 2, AUC: nan, Rows: 2}} {
		got := ovo.Pairs[i]
		near(t, "pair", got.AUC, want.AUC)
		if got.A != want.A || got.B != want.B || got.Rows != want.Rows {
			t.Errorf("pair %d: got %+v, want %+v", i, got, want)
		}
	}
	near(t, "macro of pairs", ovo.Macro, nan)
	one := must[metrics.OneVsRestAUC](t)(metrics.ROCAUCOneVsRest([]int{0, 0}, mat.NewDense(2, 1, []float64{1, 1}), nil))
	nearAll(t, "one class", one.PerClass, []float64{nan})
	near(t, "one class, weighted", one.Weighted, nan)
	// With classes 2 and 3 absent, the pair of them has no rows at all.
	wide := must[metrics.OneVsOneAUC](t)(metrics.ROCAUCOneVsOne([]int{0, 1}, mat.NewDense(2, 4, []float64{3, 1, 0, 0, 1, 3, 0, 0})))
	if p := wide.Pairs[5]; p.A != 2 || p.B != 3 || p.Rows != 0 || metrics.Defined(p.AUC) {
		t.Errorf("the last pair is %+v", p)
	}
}

func TestProbabilitiesByHand(t *testing.T) {
	truth := []int{1, 0, 1}
	prob := []float64{0.5, 0.25, 0}
	const clipped = 36.04365338911715 // 52 log 2
	near(t, "log loss", must[float64](t)(metrics.BinaryLogLoss(truth, prob, nil)), (math.Ln2+math.Log(4./3)+clipped)/3)
	near(t, "Brier", must[float64](t)(metrics.BrierScore(truth, prob, nil)), (0.25+0.0625+1)/3)
	two := oracle.Matrix([][]float64{{0.5, 0.5}, {0.75, 0.25}, {1, 0}})
	near(t, "log loss of two columns", must[float64](t)(metrics.LogLoss(truth, two, nil)), (math.Ln2+math.Log(4./3)+clipped)/3)
	near(t, "Brier of two columns", must[float64](t)(metrics.MulticlassBrierScore(truth, two, nil)), 2*(0.25+0.0625+1)/3)
	near(t, "weighted", must[float64](t)(metrics.BrierScore(truth, prob, []float64{1, 3, 0})), (0.25+3*0.0625)/4)
	// All is staked on the truth: clipping costs 2^-52, not -log 1.
	near(t, "certain and right", must[float64](t)(metrics.BinaryLogLoss([]int{1, 0}, []float64{1, 0}, nil)), 0)
}

func TestCalibrationByHand(t *testing.T) {
	truth := []int{0, 0, 1, 0, 1, 1}
	prob := []float64{0, 0.2, 0.2, 0.4, 0.9, 1}
	// Of 5 bins the third and fourth are empty; borders belong to the lower bin.
	c := must[metrics.CalibrationCurve](t)(metrics.Calibration(truth, prob, metrics.CalibrationConfig{}))
	nearAll(t, "mean predicted", c.MeanPredicted, []float64{0.4 / 3, 0.4, 0.95})
	nearAll(t, "fraction positive", c.FractionPositive, []float64{1. / 3, 0, 1})
	if c.Counts[0] != 3 || c.Counts[1] != 1 || c.Counts[2] != 2 {
		t.Errorf("counts %v, want [3 1 2]", c.Counts)
	}
	// Of 5 bins .22 and .3 share the second; of 4 they do not.
	five := must[metrics.CalibrationCurve](t)(metrics.Calibration([]int{0, 1, 1}, []float64{0.22, 0.3, 0.45}, metrics.CalibrationConfig{}))
	nearAll(t, "the default number of bins", five.MeanPredicted, []float64{0.26, 0.45})
	one := must[metrics.CalibrationCurve](t)(metrics.Calibration([]int{1}, []float64{0.3}, metrics.CalibrationConfig{Strategy: metrics.QuantileBins}))
	nearAll(t, "one row", one.MeanPredicted, []float64{0.3})
	tied := must[metrics.CalibrationCurve](t)(metrics.Calibration([]int{0, 1}, []float64{0.3, 0.3}, metrics.CalibrationConfig{Bins: 3, Strategy: metrics.QuantileBins}))
	nearAll(t, "all tied", tied.FractionPositive, []float64{0.5})
}

func TestTopKAccuracy(t *testing.T) {
	// The second row ties 0 with 2 and the third ties all: the lower class is first.
	scores := oracle.Matrix([][]float64{{1, 3, 2}, {2, 1, 2}, {0, 0, 0}})
	for _, c := range []struct {
		truth []int
		k     int
		want  float64
	}{
		{[]int{1, 0, 0}, 1, 1},
		{[]int{2, 2, 2}, 1, 0},
		{[]int{2, 2, 2}, 2, 2. / 3},
		{[]int{0, 1, 1}, 2, 1. / 3},
		{[]int{0, 1, 2}, 3, 1},
	} {
		near(t, "top k", must[float64](t)(metrics.TopKAccuracy(c.truth, scores, c.k, nil)), c.want)
	}
}

func TestRegressionByHand(t *testing.T) {
	y, f := []float64{3, -0.5, 2, 7}, []float64{2.5, 0, 2, 8}
	near(t, "MSE", must[float64](t)(metrics.MSE(y, f, nil)), 0.375)
	near(t, "RMSE", must[float64](t)(metrics.RMSE(y, f, nil)), math.Sqrt(0.375))
	near(t, "MAE", must[float64](t)(metrics.MAE(y, f, nil)), 0.5)
	near(t, "median", must[float64](t)(metrics.MedianAE(y, f, nil)), 0.5)
	near(t, "max", must[float64](t)(metrics.MaxError(y, f)), 1)
	near(t, "max of small errors", must[float64](t)(metrics.MaxError([]float64{0.5, 1}, []float64{0.25, 1.125})), 0.25)
	near(t, "R2", must[float64](t)(metrics.R2(y, f, nil)), 1-1.5/29.1875)
	for _, c := range []struct {
		name    string
		y, f, w []float64
		want    float64
	}{
		{"perfect", y, y, nil, 1},
		{"the mean", []float64{1, 2, 3}, []float64{2, 2, 2}, nil, 0},
		{"worse than the mean", []float64{1, 2, 3}, []float64{3, 2, 1}, nil, -3},
		{"constant target", []float64{0.1, 0.1, 0.1}, []float64{0, 1, 2}, nil, nan},
		{"constant target, perfect", []float64{0.1, 0.1, 0.1}, []float64{0.1, 0.1, 0.1}, nil, nan},
		{"constant where it weighs", []float64{9, 1, 1}, []float64{0, 1, 2}, []float64{0, 1, 1}, nan},
		{"one row", []float64{1}, []float64{1}, nil, nan},
	} {
		near(t, c.name, must[float64](t)(metrics.R2(c.y, c.f, c.w)), c.want)
	}
}

// A row of weight 0 takes no part, not even where its error is beyond all numbers.
func TestErrorsWithoutWeight(t *testing.T) {
	y, f, w := []float64{1.5e308, 1, 3}, []float64{-1.5e308, 2, 3}, []float64{0, 1, 3}
	for name, c := range map[string]struct {
		score func(truth, predicted, w []float64) (float64, error)
		want  float64
	}{
		"MSE": {metrics.MSE, 1. / 4}, "RMSE": {metrics.RMSE, 1. / 2}, "MAE": {metrics.MAE, 1. / 4}, "MedianAE": {metrics.MedianAE, 0},
		"R2": {metrics.R2, 1 - 1/(1.5*1.5+3*0.5*0.5)},
	} {
		near(t, name, must[float64](t)(c.score(y, f, w)), c.want)
	}
}

// The worked errors 3, 1, 0 and 4 (mean 2, mean square 26/4) and truths 1, 2, 3 and 6 in
// units in which their squares, their sums or their differences leave the range of
// float64, or lose digits in its subnormal numbers. Units are powers of two, so that all
// other digits are the same.
func TestErrorsOfAnySize(t *testing.T) {
	y, f := []float64{1, 2, 3, 6}, []float64{4, 1, 3, 2}
	const r2 = 1 - 26./14
	for _, exponent := range []int{-1020, -700, -540, -520, -351, -349, 0, 340, 505, 511, 600, 1000, 1020} {
		for _, weight := range []float64{0, 1e-300, 1, 1e300} {
			var w []float64
			if weight > 0 {
				w = slices.Repeat([]float64{weight}, 4)
			}
			own := func(v []float64) []float64 {
				out := make([]float64, len(v))
				for i := range v {
					out[i] = math.Ldexp(v[i], exponent)
				}
				return out
			}
			says := fmt.Sprintf("of 2^%d with weights of %v", exponent, weight)
			near(t, "RMSE "+says, math.Ldexp(must[float64](t)(metrics.RMSE(own(y), own(f), w)), -exponent), math.Sqrt(6.5))
			near(t, "MAE "+says, math.Ldexp(must[float64](t)(metrics.MAE(own(y), own(f), w)), -exponent), 2)
			near(t, "R2 "+says, must[float64](t)(metrics.R2(own(y), own(f), w)), r2)
			if exponent > -500 && exponent <= 505 {
				near(t, "MSE "+says, math.Ldexp(must[float64](t)(metrics.MSE(own(y), own(f), w)), -2*exponent), 6.5)
			}
		}
	}
	// Differences that overflow, of a mean that does not.
	y, f = []float64{1.5e308, 0, 0, 0}, []float64{-1.5e308, 0, 0, 0}
	near(t, "RMSE", must[float64](t)(metrics.RMSE(y, f, nil)), 1.5e308)
	near(t, "MAE", must[float64](t)(metrics.MAE(y, f, nil)), 0.75e308)
	near(t, "R2", must[float64](t)(metrics.R2(y, f, nil)), 1-4./0.75)
	near(t, "RMSE of differences of 3e-200", must[float64](t)(metrics.RMSE([]float64{3e-200, 0}, []float64{0, 3e-200}, nil))/1e-200, 3)
}

func TestMedianOfWeights(t *testing.T) {
	zero := []float64{0, 0, 0, 0}
	for _, c := range []struct {
		name string
		e, w []float64
		want float64
	}{
		{"even", []float64{4, 1, 2, 3}, nil, 2.5},
		{"odd", []float64{3, 1, 2}, nil, 2},
		{"one heavy", []float64{1, 2, 3}, []float64{1, 1, 5}, 3},
		{"half on either side", []float64{1, 2, 3, 4}, []float64{0.1, 0.2, 0.1, 0.2}, 2.5},
		{"half but for rounding", []float64{3, 2, 1}, []float64{0.3, 0.2, 0.1}, 2.5},
		{"nothing between", []float64{1, 2, 3}, []float64{1, 0, 1}, 2},
		{"nothing after", []float64{1, 2, 3}, []float64{1, 1, 0}, 1.5},
		{"one", []float64{7}, nil, 7},
	} {
		near(t, c.name, must[float64](t)(metrics.MedianAE(c.e, zero[:len(c.e)], c.w)), c.want)
	}
}

// A number of rows is written in full, and a weight to six digits.
func TestCountsInTables(t *testing.T) {
	for _, c := range []struct {
		count float64
		want  string
	}{{12, " 12\n"}, {1234567, " 1234567\n"}, {2.5, " 2.5\n"}, {1. / 3, " 0.333333\n"}, {1e20, " 1e+20\n"}} {
		m := fromCounts(t, 1, c.count)
		if text := m.String(); !strings.HasSuffix(text, c.want) {
			t.Errorf("the count %v is written\n%s", c.count, text)
		}
		if text := m.Report(metrics.UndefinedAsZero); !strings.HasSuffix(text, c.want) {
			t.Errorf("the support %v is written\n%s", c.count, text)
		}
	}
}

// The footnote is there when something is undefined, and names the rule.
func TestReportSaysWhatIsUndefined(t *testing.T) {
	for _, c := range []struct {
		name string
		m    *metrics.ConfusionMatrix
		rule metrics.UndefinedRule
		want string // "" for no footnote
	}{
		{"all defined", fromCounts(t, 2, 3, 1, 2, 2), metrics.UndefinedAsZero, ""},
		{"as zero", fromCounts(t, 2, 1, 0, 0, 0), metrics.UndefinedAsZero, "counted as 0"},
		{"left out", fromCounts(t, 2, 1, 0, 0, 0), metrics.UndefinedLeftOut, "left out"},
		{"propagated", fromCounts(t, 2, 1, 0, 0, 0), metrics.UndefinedPropagates, "what makes the average undefined"},
	} {
		text := c.m.Report(c.rule)
		if got := strings.Contains(text, "undefined"); got != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: want a footnote with %q:\n%s", c.name, c.want, text)
		}
	}
}

// By hand: of the weights 1, 2, 3 and 4, those of the rows that are a and predicted
// b are 2.
func TestConfusionOnDataset(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, nil), []int{0, 0, 1, 1}, []float64{1, 2, 3, 4})
	ds.ClassNames = []string{"a", "b", "c"}
	m := must[*metrics.ConfusionMatrix](t)(metrics.ConfusionOn(ds, []int{0, 1, 1, 1}))
	nearAll(t, "counts", m.Counts().RawMatrix().Data, []float64{1, 2, 0, 0, 7, 0, 0, 0, 0})
	if got := m.ClassNames(); !slices.Equal(got, ds.ClassNames) {
		t.Errorf("names %q", got)
	}
	ds.ClassNames = nil
	m = must[*metrics.ConfusionMatrix](t)(metrics.ConfusionOn(ds, []int{0, 1, 1, 1}))
	if got := m.ClassNames(); !slices.Equal(got, []string{"0", "1"}) {
		t.Errorf("without names they are %q", got)
	}
	ds.Name = "cars"
	check(t, "labels", second(metrics.ConfusionOn(ds, []int{0, 1})), mlcore.ErrShape, "cars: ")
	ds.Y = nil
	check(t, "no labels", second(metrics.ConfusionOn(ds, nil)), mlcore.ErrLabel)
	check(t, "no Dataset", second(metrics.ConfusionOn(nil, nil)), mlcore.ErrLabel)
}

// By hand: positives weigh 1 at .8 and 3 at .35, negatives 2 at .4 and 2 at .1.
func TestROCOnDataset(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, nil), []int{0, 0, 1, 1}, []float64{2, 2, 3, 1})
	proba := mat.NewDense(4, 2, []float64{.9, .1, .6, .4, .65, .35, .2, .8})
	curve := must[metrics.ROCCurve](t)(metrics.ROCOn(ds, proba))
	nearAll(t, "TPR", curve.TPR, []float64{0, .25, .25, 1, 1})
	nearAll(t, "FPR", curve.FPR, []float64{0, 0, .5, .5, 1})
	ds.Name = "cars"
	check(t, "columns", second(metrics.ROCOn(ds, mat.NewDense(4, 3, nil))), mlcore.ErrShape, "cars: ", "4×3")
	check(t, "rows", second(metrics.ROCOn(ds, mat.NewDense(3, 2, nil))), mlcore.ErrShape)
	check(t, "no probabilities", second(metrics.ROCOn(ds, nil)), mlcore.ErrEmpty)
	ds.ClassNames = []string{"a", "b", "c"}
	check(t, "three classes", second(metrics.ROCOn(ds, proba)), mlcore.ErrLabel, "ROCAUCOneVsRest")
	check(t, "no Dataset", second(metrics.ROCOn(nil, proba)), mlcore.ErrLabel)
}

// Means weighted by support do not depend on the unit of the weights, the least one
// included, of which a share is no number any more.
func TestSupportInAnyUnit(t *testing.T) {
	truth, predicted, w := []int{0, 0, 1, 1, 1, 2}, []int{0, 1, 1, 1, 0, 2}, []float64{1, 2, 1, 3, 1, 1}
	scores := mat.NewDense(6, 3, []float64{.6, .3, .1, .2, .5, .3, .3, .4, .3, .1, .8, .1, .5, .4, .1, .2, .2, .6})
	means := func(unit float64) []float64 {
		own := make([]float64, len(w))
		for i := range w {
			own[i] = w[i] * unit
		}
		m := must[*metrics.ConfusionMatrix](t)(metrics.Confusion(truth, predicted, 3, own))
		s := m.Weighted(metrics.UndefinedAsZero)
		auc := must[metrics.OneVsRestAUC](t)(metrics.ROCAUCOneVsRest(truth, scores, own))
		return []float64{s.Precision, s.Recall, s.F1, m.WeightedFBeta(2, metrics.UndefinedAsZero), auc.Weighted}
	}
	want := means(1)
	for _, unit := range []float64{math.SmallestNonzeroFloat64, 0x1p-1060, 0x1p-300, 0x1p300, 0x1p1020} {
		nearAll(t, fmt.Sprintf("means with weights times %v", unit), means(unit), want)
	}
}
