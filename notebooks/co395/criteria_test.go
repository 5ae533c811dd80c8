package co395

import (
	"math"
	"testing"
)

func TestPlusMinus(t *testing.T) {
	for _, tc := range []struct {
		values []float64
		want   string
	}{{[]float64{1, 2, 3, 6}, "3.00 ± 1.08"}, {[]float64{-0.001, -0.001}, "0.00 ± 0.00"}} {
		if got := PlusMinus(tc.values); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.values, got, tc.want)
		}
	}
}

func TestCriterionPanels(t *testing.T) {
	nan := math.NaN()
	if got := CriterionPanels("three", []float64{9, 4, 1}, []float64{nan, 0.5, 0.8}, []float64{9, 8, 7}); len(got) != 3 {
		t.Errorf("%d panels", len(got))
	}
}
