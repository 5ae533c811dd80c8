package plotx

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
)

// The curve rises to 0.5 at once and then evenly, the base from corner to corner: by
// hand, the difference falls from 0.5 to 0.
func TestROCDifference(t *testing.T) {
	base := NamedROC{"base", metrics.ROCCurve{FPR: []float64{0, 1}, TPR: []float64{0, 1}}}
	curve := NamedROC{"curve", metrics.ROCCurve{FPR: []float64{0, 0, 1, 1}, TPR: []float64{0, 0.5, 0.9, 1}}}
	rising, err := through(curve.Curve)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ fpr, want float64 }{{-1, 0}, {0, 0.5}, {0.25, 0.6}, {0.5, 0.7}, {1, 1}, {2, 1}} {
		if got := tprAt(rising, tc.fpr); math.Abs(got-tc.want) > 1e-15 {
			t.Errorf("the curve at %v: %v, want %v", tc.fpr, got, tc.want)
		}
	}
	p, err := ROCDifference("t", 0, base, curve)
	if err != nil {
		t.Fatal(err)
	}
	if p.Y.Max != 0.5 || p.Y.Min > 0 || p.Y.Min < -0.1 {
		t.Errorf("y from %v to %v", p.Y.Min, p.Y.Max)
	}
	undefined := NamedROC{"one class", metrics.ROCCurve{FPR: []float64{0, math.NaN()}, TPR: []float64{0, 1}}}
	for _, tc := range []struct {
		err  error
		want error
		says string
	}{
		{second(ROCDifference("t", 0, undefined, curve)), mlcore.ErrNonFinite, `"one class"`},
		{second(ROCDifference("t", 0, base, undefined)), mlcore.ErrNonFinite, `"one class"`},
		{second(ROCDifference("t", 1, base, NamedROC{Name: "none"})), mlcore.ErrEmpty, `"none"`},
		{second(ROCDifference("t", 2, base, curve)), mlcore.ErrShape, "curve 2 of 2"},
		{second(ROCDifference("t", -1, base)), mlcore.ErrShape, "curve -1 of 1"},
		{second(ROCDifference("t", 0)), mlcore.ErrShape, "curve 0 of 0"},
	} {
		if !errors.Is(tc.err, tc.want) || !strings.Contains(tc.err.Error(), tc.says) {
			t.Errorf("error %v, want %v that says %q", tc.err, tc.want, tc.says)
		}
	}
}

func second(_ *Panel, err error) error { return err }
