package co395

import (
	"math"
	"testing"
)

// By hand: above 0.4 are the first, third and fourth sample, two of them of class 1.
func TestMeasureAt(t *testing.T) {
	p, y := []float64{0.9, 0.4, 0.7, 0.5, 0.2}, []int{1, 1, 0, 1, 0}
	got := measureAt(0.4, p, y)
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"accuracy", got.Accuracy, 0.6}, {"recall", got.Recall, 2.0 / 3}, {"precision", got.Precision, 2.0 / 3},
		{"F1", got.F1, 2.0 / 3}, {"mean", got.MeanProbability, 0.54}} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s %v, want %v", c.name, c.got, c.want)
		}
	}
}

// By hand: one of two samples is predicted right at first, and both afterwards, so that the
// accuracies 0.5 and 1 have the mean 0.75 and a standard error of 0.25.
func TestMeanMeasures(t *testing.T) {
	p := [][]float64{{0.8, 0.9}, {0.2, 0.9}}
	got := MeanMeasures(2, []int{0, 1}, 0.5, func(seed uint64) []float64 { return p[seed] })
	if got.Accuracy != 0.75 || got.Recall != 1 || math.Abs(got.SE-0.25) > 1e-12 {
		t.Errorf("%+v", got)
	}
}
