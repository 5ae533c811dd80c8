package co395

import (
	"math"
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

func TestRows(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	if got := Rows(X, 2, 0); !mat.Equal(got, mat.NewDense(2, 2, []float64{4, 5, 0, 1})) {
		t.Errorf("%v", mat.Formatted(got))
	}
}

func TestRandomRows(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 2, 4, 8})
	if got := mat.Sum(RandomRows(X, 4, 1)); got != 15 {
		t.Errorf("the sum of all rows is %v", got)
	}
	if n, d := NineGroups().Dims(); n != 270 || d != 2 {
		t.Errorf("nine groups are %d×%d", n, d)
	}
}

func TestPlusMinus(t *testing.T) {
	for _, tc := range []struct {
		values []float64
		want   string
	}{{[]float64{1, 2, 3, 6}, "3.00 ± 1.08"}, {[]float64{-0.001, -0.001}, "0.00 ± 0.00"}} {
		if got := PlusMinus(tc.values); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.values, got, tc.want)
		}
	}
}

func TestCriterionPanels(t *testing.T) {
	nan := math.NaN()
	if got := CriterionPanels("three", []float64{9, 4, 1}, []float64{nan, 0.5, 0.8}, []float64{9, 8, 7}); len(got) != 3 {
		t.Errorf("%d panels", len(got))
	}
}

func TestStartPanels(t *testing.T) {
	panels := StartPanels([]float64{1, 2, 3}, []float64{1, 1})
	if len(panels) != 2 || panels[1].(*plotx.Panel).Y.Label.Text != "starts" {
		t.Errorf("%d panels", len(panels))
	}
}
