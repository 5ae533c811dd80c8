package metrics_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/mat"
)

func ExampleConfusion() {
	truth := []int{1, 1, 1, 1, 0, 0, 0, 0}
	predicted := []int{1, 1, 1, 0, 1, 1, 0, 0}
	m, err := metrics.Confusion(truth, predicted, 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(m)
	fmt.Println("accuracy", m.Accuracy())
	fmt.Println("precision", m.Precision(1), "recall", m.Recall(1))
	fmt.Println("F1", metrics.Format(m.F1(1), 3))
	// Output:
	// true\predicted  0  1
	// 0               2  2
	// 1               1  3
	// accuracy 0.625
	// precision 0.6 recall 0.75
	// F1 0.667
}

// The imbalanced data set of the CO395 notes. No row of class 2 is found, so its
// F1 is 0/0.
func ExampleConfusionMatrix_Report() {
	m, err := metrics.ConfusionFromCounts(mat.NewDense(2, 2, []float64{700, 300, 100, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err = m.WithClassNames([]string{"class 1", "class 2"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(m.Report(metrics.UndefinedAsZero))
	fmt.Println("F1 of class 2 is defined:", metrics.Defined(m.F1(1)))
	fmt.Println("macro F1 of the rest:", metrics.Format(m.Macro(metrics.UndefinedLeftOut).F1, 3))
	// Output:
	//               precision  recall   f1-score  support
	// class 1           0.875   0.700      0.778     1000
	// class 2           0.000   0.000  undefined      100
	//
	// accuracy                             0.636     1100
	// macro avg         0.438   0.350      0.389     1100
	// weighted avg      0.795   0.636      0.707     1100
	// undefined is 0/0; in the averages it is counted as 0
	// F1 of class 2 is defined: false
	// macro F1 of the rest: 0.778
}

func ExampleROC() {
	truth := []int{0, 0, 1, 1}
	score := []float64{0.1, 0.4, 0.35, 0.8}
	curve, err := metrics.ROC(truth, score, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("threshold", curve.Thresholds)
	fmt.Println("false positive rate", curve.FPR)
	fmt.Println("true positive rate", curve.TPR)
	fmt.Println("AUC", curve.AUC())
	// Output:
	// threshold [+Inf 0.8 0.4 0.35 0.1]
	// false positive rate [0 0 0.5 0.5 1]
	// true positive rate [0 0.5 0.5 1 1]
	// AUC 0.75
}

func ExampleCalibration() {
	truth := []int{0, 0, 1, 0, 1, 1}
	prob := []float64{0.1, 0.2, 0.3, 0.6, 0.8, 0.9}
	curve, err := metrics.Calibration(truth, prob, metrics.CalibrationConfig{Bins: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, n := range curve.Counts {
		fmt.Printf("%d rows: promised %.2f, came %.2f\n", n, curve.MeanPredicted[i], curve.FractionPositive[i])
	}
	// Output:
	// 3 rows: promised 0.20, came 0.33
	// 3 rows: promised 0.77, came 0.67
}

func ExampleR2() {
	truth := []float64{3, -0.5, 2, 7}
	predicted := []float64{2.5, 0, 2, 8}
	rmse, err := metrics.RMSE(truth, predicted, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r2, err := metrics.R2(truth, predicted, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("RMSE %.3f, R2 %.3f\n", rmse, r2)
	// Output: RMSE 0.612, R2 0.949
}
