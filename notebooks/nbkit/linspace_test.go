package nbkit

import (
	"slices"
	"testing"
)

func TestLinspace(t *testing.T) {
	for _, tc := range []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{0, 1, 2, []float64{0, 1}},
		{1, 5, 5, []float64{1, 2, 3, 4, 5}},
		{1, -1, 5, []float64{1, 0.5, 0, -0.5, -1}},
	} {
		if got := Linspace(tc.lo, tc.hi, tc.n); !slices.Equal(got, tc.want) {
			t.Errorf("%d from %v to %v: %v, want %v", tc.n, tc.lo, tc.hi, got, tc.want)
		}
	}
}
