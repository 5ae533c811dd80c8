package cits5508

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

func TestPart(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{3, 1, 2, 2}), []int{0, 1, 2, 3}, nil)
	for _, c := range []struct {
		at          float64
		left, right []int // labels
	}{
		{2, []int{1, 2, 3}, []int{0}},
		{1.5, []int{1}, []int{0, 2, 3}},
		{0, nil, []int{0, 1, 2, 3}},
		{9, []int{0, 1, 2, 3}, nil},
	} {
		left, right := Part(ds, 0, c.at)
		if !slices.Equal(left.Y, c.left) || !slices.Equal(right.Y, c.right) {
			t.Errorf("at %v: labels %v and %v, want %v and %v", c.at, left.Y, right.Y, c.left, c.right)
		}
	}
}
