package ada511

import (
	"math"
	"slices"
	"testing"
)

func TestBootstrap(t *testing.T) {
	rows := Bootstrap(5000, 1, 0)
	if !slices.Equal(rows, Bootstrap(5000, 1, 0)) || slices.Equal(rows, Bootstrap(5000, 1, 1)) {
		t.Error("the draws are not those of the member")
	}
	different := len(slices.Compact(slices.Sorted(slices.Values(rows))))
	// 1 - 1/e of the rows are drawn at least once; the standard deviation is about 0.31/√n.
	if share := float64(different) / 5000; math.Abs(share-(1-1/math.E)) > 4*0.31/math.Sqrt(5000) {
		t.Errorf("%.4f of the rows are drawn", share)
	}
}

// Two models of two training sets at one point, by hand. Model 0 predicts 0 and 2,
// model 1 predicts 0 and 4: variances 2 and 8, covariance 4, so the mean variance is 5
// and the correlation 4/5. The means are 0 and 3, with the variance 4.5, and their
// mean 1.5 is 0.5 away from the truth.
func TestSpread(t *testing.T) {
	predictions := [][][]float64{{{0}, {0}}, {{2}, {4}}}
	if v, c := Spread(predictions); v != 5 || c != 0.8 {
		t.Errorf("variance %v, correlation %v", v, c)
	}
	for m, want := range map[int][2]float64{1: {2, 0}, 2: {4.5, 0.25}} {
		if v, b := Averaged(predictions, m, []float64{1 + float64(m-1)}); v != want[0] || b != want[1] {
			t.Errorf("%d models: variance %v, squared bias %v, want %v", m, v, b, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	if got := Numbers([]int{1, 0}); !slices.Equal(got, []float64{1, 0}) {
		t.Errorf("numbers %v", got)
	}
}
