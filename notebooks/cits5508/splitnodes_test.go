package cits5508

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// By hand: the values 1 to 4 with the labels 0, 0, 1, 0 need the questions x <= 2.5, of
// all samples, and x <= 3.5, of those with 3 and 4.
func TestSplitNodes(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{4, 1, 3, 2}), []int{0, 0, 1, 0}, nil)
	m, err := tree.Config{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]float64
	for _, node := range SplitNodes(m, ds) {
		got = append(got, mat.Col(nil, 0, node.X))
	}
	if want := [][]float64{{4, 1, 3, 2}, {4, 3}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("samples %v, want %v", got, want)
	}
	pure := ds.Subset([]int{0, 1})
	if m, err = (tree.Config{}).FitClassifier(pure); err != nil || len(SplitNodes(m, pure)) != 0 {
		t.Errorf("a leaf alone: %v, error %v", SplitNodes(m, pure), err)
	}
}
