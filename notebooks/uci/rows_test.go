package uci

import (
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Worked by hand: four rows with the values 1, 0, 2, 1 of an attribute of three values.
func TestRows(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{1, 0, 2, 1}), []int{0, 1, 1, 0}, nil)
	ds.Columns[0].Levels = []string{"a", "b", "c", "d"}
	value := func(ds *mlcore.Dataset, i int) int { return int(ds.X.At(i, 0)) }
	for _, tc := range []struct {
		name      string
		got, want any
	}{
		{"AllRows", AllRows(ds), []int{0, 1, 2, 3}},
		{"EqualWeights", EqualWeights(4), []float64{0.25, 0.25, 0.25, 0.25}},
		{"Tally", Tally(ds, []int{0, 1, 2}, []float64{1, 2, 4, 8}), []float64{1, 6}},
		{"Branches", Branches(ds, []int{0, 2, 3}, 0), [][]int{nil, {0, 3}, {2}, nil}},
		{"PredictAll", PredictAll(ds, value), []int{1, 0, 2, 1}},
	} {
		if !reflect.DeepEqual(tc.got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}
