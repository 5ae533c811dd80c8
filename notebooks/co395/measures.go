package co395

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/stat"
)

// A MeasureRow is what a model of two classes is worth on some samples.
type MeasureRow struct {
	Accuracy, Recall, Precision, F1 float64
	MeanProbability                 float64 `table:"mean probability"`
	SE                              float64 `table:"largest se"`
}

// measureAt judges the probabilities p of class 1 where class 1 is predicted above the
// threshold. It panics on an error, as a cell would.
func measureAt(threshold float64, p []float64, y []int) MeasureRow {
	predicted := make([]int, len(p))
	for i, v := range p {
		if v > threshold {
			predicted[i] = 1
		}
	}
	m, err := metrics.Confusion(y, predicted, 2, nil)
	if err != nil {
		panic(fmt.Errorf("co395: measures: %w", err))
	}
	return MeasureRow{m.Accuracy(), m.Recall(1), m.Precision(1), m.F1(1), stat.Mean(p, nil), 0}
}

// MeanMeasures judges the probabilities of class 1 from so many seeds, where class 1 is
// predicted above the threshold. It returns the means, with the largest of the standard errors.
func MeanMeasures(seeds int, y []int, threshold float64, proba func(seed uint64) []float64) MeasureRow {
	var mean [5]float64
	largest := 0.0
	for i, values := range Repeat(seeds, func(seed uint64) []float64 {
		r := measureAt(threshold, proba(seed), y)
		return []float64{r.Accuracy, r.Recall, r.Precision, r.F1, r.MeanProbability}
	}) {
		m, se := MeanSE(values)
		mean[i], largest = m, max(largest, se)
	}
	return MeasureRow{mean[0], mean[1], mean[2], mean[3], mean[4], largest}
}
