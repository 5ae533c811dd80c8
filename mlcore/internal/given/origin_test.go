package given

import (
	"slices"
	"testing"
)

// By hand: a column of 0 and 2, one of 4000 and 4002, a constant one of 7, one of 5000,
// and one of the greatest numbers.
func TestOrigin(t *testing.T) {
	const most = 1.5e308
	got := Origin([]float64{0, 4000, 7, 5000, most, 2, 4002, 7, 5000, most}, 5)
	if want := []float64{0, 4001, 0, 5000, most}; !slices.Equal(got, want) {
		t.Errorf("origin %v, want %v", got, want)
	}
	if got := Origin([]float64{0, 7, -most, 2, 7, most}, 3); got != nil {
		t.Errorf("origin %v, want none", got)
	}
}
