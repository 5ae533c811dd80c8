package co395

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestRows(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	if got := Rows(X, 2, 0); !mat.Equal(got, mat.NewDense(2, 2, []float64{4, 5, 0, 1})) {
		t.Errorf("%v", mat.Formatted(got))
	}
}
