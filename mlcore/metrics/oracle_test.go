package metrics_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
)

// A list has null for NaN and for infinity.
type list []*float64

func (l list) floats() []float64 {
	v := make([]float64, len(l))
	for i, x := range l {
		v[i] = math.NaN()
		if x != nil {
			v[i] = *x
		}
	}
	return v
}

type confusionAnswers struct {
	Counts         [][]float64       `json:"counts"`
	ByTrue         [][]float64       `json:"by_true"`
	ByPredicted    [][]float64       `json:"by_predicted"`
	ByAll          [][]float64       `json:"by_all"`
	PerClassCounts [][4]float64      `json:"per_class_counts"`
	Accuracy       float64           `json:"accuracy"`
	Error          float64           `json:"error"`
	Balanced       float64           `json:"balanced_accuracy"`
	Kappa          float64           `json:"kappa"`
	KappaLinear    float64           `json:"kappa_linear"`
	KappaQuadratic float64           `json:"kappa_quadratic"`
	Matthews       float64           `json:"matthews"`
	Averages       map[string][3]any `json:"averages"`
}

type binaryAnswers struct {
	FPR              []float64 `json:"fpr"`
	TPR              []float64 `json:"tpr"`
	ROCThresholds    list      `json:"roc_thresholds"`
	ROCAUC           float64   `json:"roc_auc"`
	Precision        []float64 `json:"precision"`
	Recall           []float64 `json:"recall"`
	PRThresholds     []float64 `json:"pr_thresholds"`
	AveragePrecision float64   `json:"average_precision"`
	LogLoss          float64   `json:"log_loss"`
	Brier            float64   `json:"brier"`
}

type multiclassAnswers struct {
	LogLoss     float64   `json:"log_loss"`
	Brier       float64   `json:"brier"`
	TopK        []float64 `json:"top_k"` // from k = 1
	OVR         []float64 `json:"ovr"`
	OVRMacro    float64   `json:"ovr_macro"`
	OVRWeighted float64   `json:"ovr_weighted"`
	OVOMacro    float64   `json:"ovo_macro"`
	OVOWeighted float64   `json:"ovo_weighted"`
}

type regressionAnswers struct {
	MSE      float64 `json:"mse"`
	RMSE     float64 `json:"rmse"`
	MAE      float64 `json:"mae"`
	MedianAE float64 `json:"median_ae"`
	R2       float64 `json:"r2"`
	MaxError float64 `json:"max_error"`
}

// oracle is testdata/peers.json: data and scikit-learn's scores of them.
// scripts/oracles/metrics.py made it; the file holds versions.
type answers struct {
	Weights   []float64 `json:"weights"`
	Confusion []struct {
		Name      string           `json:"name"`
		Truth     []int            `json:"truth"`
		Predicted []int            `json:"predicted"`
		Classes   int              `json:"classes"`
		Weighted  bool             `json:"weighted"`
		Answers   confusionAnswers `json:"answers"`
	} `json:"confusion"`
	Binary struct {
		Truth    []int         `json:"truth"`
		Score    []float64     `json:"score"`
		Prob     []float64     `json:"prob"`
		Plain    binaryAnswers `json:"plain"`
		Weighted binaryAnswers `json:"weighted"`
	} `json:"binary"`
	Calibration []struct {
		Truth    []int        `json:"truth"`
		Prob     []float64    `json:"prob"`
		Bins     int          `json:"bins"`
		Strategy string       `json:"strategy"`
		Curve    [2][]float64 `json:"curve"`
	} `json:"calibration"`
	Multiclass struct {
		Truth    []int             `json:"truth"`
		Proba    [][]float64       `json:"proba"`
		Plain    multiclassAnswers `json:"plain"`
		Weighted multiclassAnswers `json:"weighted"`
	} `json:"multiclass"`
	Regression struct {
		Truth     []float64         `json:"truth"`
		Predicted []float64         `json:"predicted"`
		Plain     regressionAnswers `json:"plain"`
		Weighted  regressionAnswers `json:"weighted"`
		Odd       regressionAnswers `json:"odd"`
	} `json:"regression"`
}

func scikitLearn(t *testing.T) answers {
	t.Helper()
	return oracle.Load[answers](t, "testdata/peers.json")
}

const tolerance = 1e-12

// near compares two scores; NaN is near NaN only.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) && math.IsNaN(want) {
		return
	}
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func nearAll(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d values, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		near(t, fmt.Sprintf("%s[%d]", what, i), got[i], want[i])
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestConfusionAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t)
	for _, c := range o.Confusion {
		t.Run(fmt.Sprintf("%s weighted=%v", c.Name, c.Weighted), func(t *testing.T) {
			var w []float64
			if c.Weighted {
				w = o.Weights
			}
			m := must[*metrics.ConfusionMatrix](t)(metrics.Confusion(c.Truth, c.Predicted, c.Classes, w))
			a := c.Answers
			for i := range c.Classes {
				nearAll(t, "counts", m.Counts().RawRowView(i), a.Counts[i])
				// scikit-learn has 0 where a share is 0/0.
				for _, n := range []struct {
					by   metrics.Normalization
					want [][]float64
				}{{metrics.ByTrue, a.ByTrue}, {metrics.ByPredicted, a.ByPredicted}, {metrics.ByAll, a.ByAll}} {
					row := m.Normalized(n.by).RawRowView(i)
					for j, v := range row {
						empty := n.by == metrics.ByTrue && m.Support(i) == 0 || n.by == metrics.ByPredicted && m.TP(j)+m.FP(j) == 0
						if metrics.Defined(v) == empty {
							t.Errorf("normalised by %d: cell %d, %d is %v", n.by, i, j, v)
						}
						if !empty {
							near(t, "normalised", v, n.want[i][j])
						}
					}
				}
				nearAll(t, "TN FP FN TP", []float64{m.TN(i), m.FP(i), m.FN(i), m.TP(i)}, a.PerClassCounts[i][:])
			}
			near(t, "accuracy", m.Accuracy(), a.Accuracy)
			near(t, "error", m.Error(), a.Error)
			near(t, "Accuracy", must[float64](t)(metrics.Accuracy(c.Truth, c.Predicted, w)), a.Accuracy)
			near(t, "ErrorRate", must[float64](t)(metrics.ErrorRate(c.Truth, c.Predicted, w)), a.Error)
			near(t, "balanced accuracy", m.BalancedAccuracy(), a.Balanced)
			near(t, "kappa", m.CohenKappa(), a.Kappa)
			near(t, "linear kappa", m.WeightedKappa(metrics.LinearWeights), a.KappaLinear)
			near(t, "quadratic kappa", m.WeightedKappa(metrics.QuadraticWeights), a.KappaQuadratic)
			near(t, "Matthews", m.Matthews(), a.Matthews)

			for _, beta := range []float64{1, 0.5, 2} {
				perClass := func(rule string, which int) []float64 {
					var l list
					raw, _ := json.Marshal(a.Averages[fmt.Sprintf("None %v %s", beta, rule)][which])
					if err := json.Unmarshal(raw, &l); err != nil {
						t.Fatal(err)
					}
					return l.floats()
				}
				for k := range c.Classes {
					near(t, "precision", m.Precision(k), perClass("left_out", 0)[k])
					near(t, "recall", m.Recall(k), perClass("left_out", 1)[k])
					if m.TP(k) > 0 {
						near(t, "F", m.FBeta(k, beta), perClass("zero", 2)[k])
					} else if metrics.Defined(m.FBeta(k, beta)) {
						t.Errorf("F of class %d is %v without a true positive", k, m.FBeta(k, beta))
					}
				}
				averages := func(name, rule string) [3]float64 {
					var v [3]float64
					for i, x := range a.Averages[fmt.Sprintf("%s %v %s", name, beta, rule)] {
						v[i] = x.(float64)
					}
					return v
				}
				want := averages("macro", "zero")
				near(t, "macro precision", m.Macro(metrics.UndefinedAsZero).Precision, want[0])
				near(t, "macro recall", m.Macro(metrics.UndefinedAsZero).Recall, want[1])
				near(t, "macro F", m.MacroFBeta(beta, metrics.UndefinedAsZero), want[2])
				want = averages("weighted", "zero")
				near(t, "weighted precision", m.Weighted(metrics.UndefinedAsZero).Precision, want[0])
				near(t, "weighted recall", m.Weighted(metrics.UndefinedAsZero).Recall, want[1])
				near(t, "weighted F", m.WeightedFBeta(beta, metrics.UndefinedAsZero), want[2])
				// F differs here: scikit-learn has 0 where no row was right.
				want = averages("macro", "left_out")
				near(t, "macro precision of the defined", m.Macro(metrics.UndefinedLeftOut).Precision, want[0])
				near(t, "macro recall of the defined", m.Macro(metrics.UndefinedLeftOut).Recall, want[1])
				want = averages("weighted", "left_out")
				near(t, "weighted precision of the defined", m.Weighted(metrics.UndefinedLeftOut).Precision, want[0])
				want = averages("micro", "zero")
				near(t, "micro precision", m.Micro().Precision, want[0])
				near(t, "micro recall", m.Micro().Recall, want[1])
				near(t, "micro F", m.Micro().F1, want[2])
			}
		})
	}
}

func TestCurvesAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t)
	b := o.Binary
	for _, c := range []struct {
		name string
		w    []float64
		want binaryAnswers
	}{{"plain", nil, b.Plain}, {"weighted", o.Weights, b.Weighted}} {
		t.Run(c.name, func(t *testing.T) {
			roc := must[metrics.ROCCurve](t)(metrics.ROC(b.Truth, b.Score, c.w))
			nearAll(t, "FPR", roc.FPR, c.want.FPR)
			nearAll(t, "TPR", roc.TPR, c.want.TPR)
			if !math.IsInf(roc.Thresholds[0], 1) {
				t.Errorf("the first threshold is %v", roc.Thresholds[0])
			}
			nearAll(t, "ROC thresholds", roc.Thresholds[1:], c.want.ROCThresholds.floats()[1:])
			near(t, "AUC", roc.AUC(), c.want.ROCAUC)
			near(t, "ROCAUC", must[float64](t)(metrics.ROCAUC(b.Truth, b.Score, c.w)), c.want.ROCAUC)
			near(t, "area through the points", must[float64](t)(metrics.AUC(roc.FPR, roc.TPR)), c.want.ROCAUC)

			pr := must[metrics.PRCurve](t)(metrics.PrecisionRecall(b.Truth, b.Score, c.w))
			nearAll(t, "precision", pr.Precision, c.want.Precision)
			nearAll(t, "recall", pr.Recall, c.want.Recall)
			nearAll(t, "PR thresholds", pr.Thresholds, c.want.PRThresholds)
			near(t, "AP", must[float64](t)(metrics.AveragePrecision(b.Truth, b.Score, c.w)), c.want.AveragePrecision)

			near(t, "log loss", must[float64](t)(metrics.BinaryLogLoss(b.Truth, b.Prob, c.w)), c.want.LogLoss)
			near(t, "Brier", must[float64](t)(metrics.BrierScore(b.Truth, b.Prob, c.w)), c.want.Brier)
		})
	}
}

func TestCalibrationAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t)
	for _, c := range o.Calibration {
		cfg := metrics.CalibrationConfig{Bins: c.Bins}
		if c.Strategy == "quantile" {
			cfg.Strategy = metrics.QuantileBins
		}
		t.Run(fmt.Sprintf("%s %d of %d", c.Strategy, c.Bins, len(c.Prob)), func(t *testing.T) {
			curve := must[metrics.CalibrationCurve](t)(metrics.Calibration(c.Truth, c.Prob, cfg))
			nearAll(t, "fraction positive", curve.FractionPositive, c.Curve[0])
			nearAll(t, "mean predicted", curve.MeanPredicted, c.Curve[1])
			rows := 0
			for _, n := range curve.Counts {
				rows += n
			}
			if rows != len(c.Truth) {
				t.Errorf("the bins hold %d rows of %d", rows, len(c.Truth))
			}
		})
	}
}

func TestMulticlassAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t)
	truth, proba := o.Multiclass.Truth, oracle.Matrix(o.Multiclass.Proba)
	for _, c := range []struct {
		name string
		w    []float64
		want multiclassAnswers
	}{{"plain", nil, o.Multiclass.Plain}, {"weighted", o.Weights, o.Multiclass.Weighted}} {
		t.Run(c.name, func(t *testing.T) {
			near(t, "log loss", must[float64](t)(metrics.LogLoss(truth, proba, c.w)), c.want.LogLoss)
			near(t, "Brier", must[float64](t)(metrics.MulticlassBrierScore(truth, proba, c.w)), c.want.Brier)
			if len(c.want.TopK) != 3 {
				t.Fatalf("%d answers for the top k", len(c.want.TopK))
			}
			for i, want := range c.want.TopK {
				near(t, "top k", must[float64](t)(metrics.TopKAccuracy(truth, proba, i+1, c.w)), want)
			}
			ovr := must[metrics.OneVsRestAUC](t)(metrics.ROCAUCOneVsRest(truth, proba, c.w))
			nearAll(t, "one against rest", ovr.PerClass, c.want.OVR)
			near(t, "macro", ovr.Macro, c.want.OVRMacro)
			near(t, "weighted", ovr.Weighted, c.want.OVRWeighted)
		})
	}
	ovo := must[metrics.OneVsOneAUC](t)(metrics.ROCAUCOneVsOne(truth, proba))
	near(t, "one against one, macro", ovo.Macro, o.Multiclass.Plain.OVOMacro)
	near(t, "one against one, weighted", ovo.Weighted, o.Multiclass.Plain.OVOWeighted)
}

func TestRegressionAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t)
	truth, predicted := o.Regression.Truth, o.Regression.Predicted
	for _, c := range []struct {
		name string
		n    int
		w    []float64
		want regressionAnswers
	}{
		{"plain", len(truth), nil, o.Regression.Plain},
		{"odd number of rows", len(truth) - 1, nil, o.Regression.Odd},
		{"weighted", len(truth), o.Weights, o.Regression.Weighted},
	} {
		t.Run(c.name, func(t *testing.T) {
			y, f := truth[:c.n], predicted[:c.n]
			near(t, "MSE", must[float64](t)(metrics.MSE(y, f, c.w)), c.want.MSE)
			near(t, "RMSE", must[float64](t)(metrics.RMSE(y, f, c.w)), c.want.RMSE)
			near(t, "MAE", must[float64](t)(metrics.MAE(y, f, c.w)), c.want.MAE)
			near(t, "median", must[float64](t)(metrics.MedianAE(y, f, c.w)), c.want.MedianAE)
			near(t, "R2", must[float64](t)(metrics.R2(y, f, c.w)), c.want.R2)
			near(t, "max", must[float64](t)(metrics.MaxError(y, f)), c.want.MaxError)
		})
	}
}
