package assess

import (
	"slices"
	"testing"
)

func TestSeeds(t *testing.T) {
	got := Seeds(4, func(seed uint64) float64 { return float64(seed * seed) })
	if !slices.Equal(got, []float64{0, 1, 4, 9}) {
		t.Errorf("squares of the seeds: %v", got)
	}
}
