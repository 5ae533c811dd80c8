package lab3

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// The area of a marker is proportional to its weight, up to the largest marker.
func TestWeightMap(t *testing.T) {
	for _, tc := range []struct{ weight, mean, want float64 }{
		{0.25, 0.25, 2.6}, {1, 0.25, 5.2}, {0.25, 1, 1.3}, {100, 1, 14}, {0, 1, 0}, {0, 0, 2.6},
	} {
		if got := radius(tc.weight, tc.mean); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("radius of %v where the mean is %v: %v, want %v", tc.weight, tc.mean, got, tc.want)
		}
	}
	ds := &mlcore.Dataset{X: mat.NewDense(3, 2, []float64{0, 0, 1, 2, 2, 1}), Y: []int{0, 1, 1},
		Columns: []mlcore.Column{{Name: "a"}, {Name: "b"}}, ClassNames: []string{"0", "1"}}
	say := func(X *mat.Dense) []int { return make([]int, X.RawMatrix().Rows) }
	p := WeightMap(say, ds, []float64{0.5, 0.25, 0.25}, "three")
	if len(p.Keys) != 4 || p.Keys[3].Text != "4 times the mean" {
		t.Errorf("legend %+v", p.Keys)
	}
	if p.X.Min != -0.1 || p.X.Max != 2.1 {
		t.Errorf("axis from %v to %v, want the data and a margin", p.X.Min, p.X.Max)
	}
	defer func() {
		if recover() == nil {
			t.Error("two weights for three rows are accepted")
		}
	}()
	WeightMap(say, ds, []float64{1, 1}, "")
}
