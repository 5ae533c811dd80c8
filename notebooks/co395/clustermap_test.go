package co395

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

func TestClusterMap(t *testing.T) {
	X, far := mat.NewDense(2, 2, []float64{0, 0, 2, 2}), mat.NewDense(1, 2, []float64{50, 50})
	sides := func(X mat.Matrix) ([]int, error) {
		n, _ := X.Dims()
		labels := make([]int, n)
		for i := range labels {
			if X.At(i, 0) > 1 {
				labels[i] = 1
			}
		}
		return labels, nil
	}
	bare, crossed := ClusterMap("sides", X, sides, nil), ClusterMap("sides", X, sides, far)
	if crossed.X.Max != bare.X.Max || crossed.Y.Max != bare.Y.Max {
		t.Errorf("a centre far away changes the axes: %v", crossed.X.Max)
	}
	near := ClusterMap("sides", X, sides, mat.NewDense(1, 2, []float64{1, 1}))
	a, errA := plotx.PNG(bare)
	b, errB := plotx.PNG(near)
	if errA != nil || errB != nil || slices.Equal(a, b) {
		t.Errorf("a centre is not drawn (%v, %v)", errA, errB)
	}
}
