package cits5508

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

func TestThirds(t *testing.T) {
	for _, tc := range []struct {
		target []float64
		want   []int // by hand
	}{
		{[]float64{9, 1, 5, 2, 6, 8}, []int{2, 0, 1, 0, 1, 2}},
		{[]float64{1, 1, 1, 1, 2, 3}, []int{0, 0, 0, 0, 2, 2}},
		{[]float64{4}, []int{0}},
	} {
		n := len(tc.target)
		ds := &mlcore.Dataset{X: mat.NewDense(n, 1, nil), Columns: []mlcore.Column{{Name: "x"}}, Target: tc.target}
		got := thirds(ds)
		if !slices.Equal(got.Y, tc.want) || got.NumClasses() != 3 || ds.Y != nil {
			t.Errorf("targets %v: classes %v, want %v", tc.target, got.Y, tc.want)
		}
	}
}
