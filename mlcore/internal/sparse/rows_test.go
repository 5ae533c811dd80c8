package sparse

import (
	"math"
	"slices"
	"testing"
)

// By hand: the rows (0 2 0 0), all zeros and (3 0 0 -1).
func TestRows(t *testing.T) {
	r := Of([]float64{0, 2, 0, 0, 0, 0, 0, math.Copysign(0, -1), 3, 0, 0, -1}, 4, 1)
	for i, want := range []float64{20, 0, -970} {
		if got := r.Dot(i, []float64{10, 10, 100, 1000}); got != want {
			t.Errorf("product of row %d is %v, want %v", i, got, want)
		}
	}
	y := []float64{1, 1, 1, 1}
	for i := range 3 {
		r.AddScaled(y, 2, i)
	}
	if want := []float64{7, 5, 1, -1}; !slices.Equal(y, want) {
		t.Errorf("sums %v, want %v", y, want)
	}
	r.AddSquares(y, 0.5, 2)
	if y[0] != 11.5 || y[3] != -0.5 || r.Square(0) != 4 || r.Square(1) != 0 || r.Square(2) != 10 {
		t.Errorf("squares %v, %v and %v, and sums %v", r.Square(0), r.Square(1), r.Square(2), y)
	}
	if Of([]float64{1, 2, 0, 0}, 4, 1) != nil {
		t.Error("rows of which half are not 0 are sparse")
	}
	if Of([]float64{1, 0, 0, 0}, 4, 1) == nil {
		t.Error("rows of which a quarter are not 0 are not sparse")
	}
}
