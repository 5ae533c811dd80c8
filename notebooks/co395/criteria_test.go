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

// The silhouette of one cluster is not drawn, and the mark stays at its K.
func TestByClusters(t *testing.T) {
	p := ByClusters("three", "silhouette", []float64{math.NaN(), 0.5, 0.8}, 2)
	if p.X.Max < 3 || p.Y.Min > 0 || p.Y.Max < 1 {
		t.Errorf("x to %v, y from %v to %v", p.X.Max, p.Y.Min, p.Y.Max)
	}
	if p := ByClusters("three", "BIC", []float64{900, 850, 860}, 1); p.Y.Min < 800 || p.Y.Max < 900 {
		t.Errorf("y from %v to %v", p.Y.Min, p.Y.Max)
	}
}
