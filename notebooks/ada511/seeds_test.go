package ada511

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
)

// The values x, x+1 and x+2 have the mean x+1 and the standard deviation 1.
func TestMeanCurve(t *testing.T) {
	s := MeanCurve("a", []float64{5, 8}, 3, func(x float64, seed uint64) float64 { return x + float64(seed) })
	if !slices.Equal(s.X, []float64{5, 8}) || !slices.Equal(s.Y, []float64{6, 9}) || math.Abs(s.Err[1]-1/math.Sqrt(3)) > 1e-12 {
		t.Errorf("%+v", s)
	}
}

// With 2 degrees of freedom the two-sided p-value of t is 1 - t/√(2+t²).
func TestVerdict(t *testing.T) {
	for _, tc := range []struct {
		b    []float64
		want string
	}{
		{[]float64{0, 0, 0}, "a 2.0000, b 0.0000: no difference to be seen (t = 3.46 with 2 degrees of freedom, p = 0.074)"},
		{[]float64{0.1, 0.9, 2.2}, "a 2.0000, b 1.0667: a real difference (t = 10.58 with 2 degrees of freedom, p = 0.009)"},
		{[]float64{1, 2, 3}, "a 2.0000, b 2.0000: no difference to be seen"},
	} {
		if got := Verdict("a", []float64{1, 2, 3}, "b", tc.b); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestHoldBack(t *testing.T) {
	ds := datasets.MakeClouds(10, 1, 1)
	train, validation := HoldBack(ds, 3)
	if train.Len() != 7 || validation.Len() != 3 || train.X.At(0, 0) != ds.X.At(3, 0) || validation.Y[2] != ds.Y[2] {
		t.Errorf("%d rows for training, %d for validation", train.Len(), validation.Len())
	}
}
