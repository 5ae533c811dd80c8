package co395

import "testing"

func TestIntervalPanel(t *testing.T) {
	lower := []float64{0.1, 0.3, 0, 0.2}
	upper := []float64{0.3, 0.5, 0.1, 0.4}
	for truth, want := range map[float64]int{0.2: 2, 0.3: 1, 0.9: 4, 0.25: 2, 0.1: 2} {
		if _, got := IntervalPanel(lower, upper, truth); got != want {
			t.Errorf("truth %v: %d intervals miss, want %d", truth, got, want)
		}
	}
	if _, got := IntervalPanel(lower[:1], upper[:1], 0.2); got != 0 {
		t.Errorf("%d intervals miss, want none", got)
	}
}
