package co395

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

func TestThinned(t *testing.T) {
	y := []int{1, 0, 1, 1, 0, 0, 1}
	ds := mlcore.FromMatrix(mat.NewDense(7, 1, []float64{0, 1, 2, 3, 4, 5, 6}), y, nil)
	for _, c := range []struct {
		class, keep, n int
		want           []float64
	}{
		{1, 2, 7, []float64{0, 1, 2, 4, 5}},
		{1, 2, 4, []float64{0, 1, 2, 4}},
		{0, 0, 7, []float64{0, 2, 3, 6}},
		{1, 9, 7, []float64{0, 1, 2, 3, 4, 5, 6}},
	} {
		got := Thinned(ds, c.class, c.keep, c.n)
		if x := mat.Col(nil, 0, got.X); !slices.Equal(x, c.want) {
			t.Errorf("Thinned(class %d, keep %d, n %d) = rows %v, want %v", c.class, c.keep, c.n, x, c.want)
		}
	}
}
