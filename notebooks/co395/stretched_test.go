package co395

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// The recipe's own numbers: along and across the line at 30 degrees.
func TestMakeStretched(t *testing.T) {
	ds := MakeStretched(4000, 1)
	within := withinCovariance(ds)
	along := mat.NewVecDense(2, []float64{math.Sqrt(3) / 2, 0.5})
	across := mat.NewVecDense(2, []float64{-0.5, math.Sqrt(3) / 2})
	for _, tc := range []struct {
		name      string
		direction *mat.VecDense
		want, tol float64
	}{{"along", along, 4, 0.25}, {"across", across, 0.4, 0.025}} { // five standard errors
		if sd := math.Sqrt(mat.Inner(tc.direction, within, tc.direction)); math.Abs(sd-tc.want) > tc.tol {
			t.Errorf("%s: sd %.3f, want %v", tc.name, sd, tc.want)
		}
	}
	var sum [2]float64
	for i, c := range ds.Y {
		sum[c] += mat.Dot(across, ds.X.RowView(i)) / 2000
	}
	if gap := sum[1] - sum[0]; math.Abs(gap-1.6) > 0.07 {
		t.Errorf("centres %.3f apart, want 1.6", gap)
	}
}

// By hand: deviations from the class means are ±1 in x1 and, in class 1, ±2 in x2; four
// rows less two means leave 2.
func TestWithinCovariance(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{0, 5, 2, 5, 10, 0, 12, 4})
	got := withinCovariance(mlcore.FromMatrix(X, []int{0, 0, 1, 1}, nil))
	want := mat.NewSymDense(2, []float64{2, 2, 2, 4})
	if !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("%v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}
