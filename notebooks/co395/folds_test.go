package co395

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func TestFoldsInOrder(t *testing.T) {
	want := [][]int{{0, 1, 2}, {3, 4}, {5, 6}}
	if got := FoldsInOrder(7, 3); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
}

// By hand: a learner that repeats the first label it has seen.
func TestErrorsByFold(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, nil), []int{1, 0, 0, 1}, nil)
	first := func(train *mlcore.Dataset, X *mat.Dense) []int {
		return slices.Repeat([]int{train.Y[0]}, X.RawMatrix().Rows)
	}
	if got := ErrorsByFold(first, ds, [][]int{{0}, {1, 2, 3}}); got[0] != 1 || math.Abs(got[1]-2.0/3) > 1e-12 {
		t.Error(got)
	}
}

func TestMakePatients(t *testing.T) {
	ds := MakePatients(200, 3, 1)
	var within []float64
	for row := 0; row < ds.Len(); row += 3 {
		if ds.Y[row] != ds.Y[row+1] || ds.Y[row] != ds.Y[row+2] {
			t.Fatalf("patient %d has several labels", row/3)
		}
		within = append(within, ds.X.At(row, 2)-ds.X.At(row+1, 2))
	}
	if sd := stat.StdDev(within, nil); math.Abs(sd-0.2*math.Sqrt2) > 0.03 {
		t.Errorf("photographs of a patient differ by %v", sd)
	}
	if sd := stat.StdDev(mat.Col(nil, 2, ds.X), nil); math.Abs(sd-math.Hypot(1, 0.2)) > 0.1 {
		t.Errorf("patients differ by %v", sd)
	}
}
