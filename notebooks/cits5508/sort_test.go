package cits5508

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

func TestSortByFeature(t *testing.T) {
	ds := &mlcore.Dataset{
		X:       mat.NewDense(4, 2, []float64{3, 1, 1, 2, 3, 0, 2, 2}),
		Columns: []mlcore.Column{{Name: "a"}, {Name: "b"}},
		Target:  []float64{10, 20, 30, 40},
	}
	for _, tc := range []struct {
		feature int
		want    []float64 // targets, by hand
	}{
		{0, []float64{20, 40, 10, 30}},
		{1, []float64{30, 10, 20, 40}},
	} {
		if got := SortByFeature(ds, tc.feature).Target; !slices.Equal(got, tc.want) {
			t.Errorf("by feature %d: targets %v, want %v", tc.feature, got, tc.want)
		}
	}
	if ds.Target[0] != 10 || ds.X.At(0, 0) != 3 {
		t.Error("the data set itself has changed")
	}
}
