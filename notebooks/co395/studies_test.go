package co395

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// Over many studies the first model is worse by the gap, and the folds vary more than the
// models on one fold.
func TestMadeUpErrors(t *testing.T) {
	var differences, levels []float64
	for seed := range uint64(400) {
		a, b := MadeUpErrors(0.02, seed)
		if len(a) != 10 || len(b) != 10 {
			t.Fatalf("%d and %d folds", len(a), len(b))
		}
		for i := range a {
			differences = append(differences, a[i]-b[i])
			levels = append(levels, b[i])
		}
	}
	mean, sd := stat.MeanStdDev(differences, nil)
	if math.Abs(mean-0.02) > 0.003 || math.Abs(sd-0.03*math.Sqrt2) > 0.002 {
		t.Errorf("differences of %v ± %v", mean, sd)
	}
	if mean, sd := stat.MeanStdDev(levels, nil); math.Abs(mean-0.2) > 0.004 || math.Abs(sd-math.Hypot(0.05, 0.03)) > 0.003 {
		t.Errorf("errors of %v ± %v", mean, sd)
	}
}

func TestOrder(t *testing.T) {
	if got := Order([]float64{0.4, 0.1, 0.4, -2}); !slices.Equal(got, []int{3, 1, 0, 2}) {
		t.Error(got)
	}
}
