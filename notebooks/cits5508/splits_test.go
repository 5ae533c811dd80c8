package cits5508

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// By hand, the labels 0, 0, 1, 0 on a line: the root has the Gini impurity 3/8 and is
// split 2 to 2 at 2.5, which leaves 1/4; then the right half, of impurity 1/2, is split
// 1 to 1, which lowers it by 1/2 on half of the samples.
func TestSplits(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	m, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 1, 0}, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := []Split{{0, 4, 2, 2, 4, 1. / 8}, {1, 2, 1, 1, 4, 1. / 4}}
	got := Splits(m)
	if len(got) != len(want) {
		t.Fatalf("%d splits, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		fall := g.Decrease
		g.Decrease = w.Decrease
		if g != w || math.Abs(fall-w.Decrease) > 1e-12 {
			t.Errorf("split %d: %+v with a decrease of %v, want %+v", i, g, fall, w)
		}
	}
	if leaf, err := (tree.Config{}).FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 0, 0}, nil)); err != nil || len(Splits(leaf)) != 0 {
		t.Errorf("a leaf has splits (%v)", err)
	}
}
