package co395

import (
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A learner that remembers its training rows never meets one of them again.
func TestOutOfFold(t *testing.T) {
	ds := datasets.MakeClouds(60, 0.5, 1)
	asked := 0
	seen := func(train *mlcore.Dataset, X *mat.Dense) []int {
		known := map[float64]bool{}
		for i := range train.Len() {
			known[train.X.At(i, 0)] = true
		}
		n, _ := X.Dims()
		answers := make([]int, n)
		for i := range answers {
			asked++
			if !known[X.At(i, 0)] {
				answers[i] = 7
			}
		}
		return answers
	}
	for i, got := range OutOfFold(seen, ds, 6, 1) {
		if got != 7 {
			t.Errorf("row %d was predicted by a model that knows it", i)
		}
	}
	if asked != ds.Len() {
		t.Errorf("%d rows were asked for, want %d", asked, ds.Len())
	}
}
