package lab3

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Nine points, by hand.
func TestGrid(t *testing.T) {
	want := mat.NewDense(9, 2, []float64{
		-1, -1, 0, -1, 1, -1,
		-1, 0, 0, 0, 1, 0,
		-1, 1, 0, 1, 1, 1,
	})
	if got := Grid(-1, 1, 3); !mat.Equal(got, want) {
		t.Errorf("3×3 points:\n%v", mat.Formatted(got))
	}
}
