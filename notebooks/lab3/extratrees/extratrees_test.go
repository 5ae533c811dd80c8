package extratrees

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
)

// By hand: 0, 0 below is pure; 0, 1, 1, 1 above has 1 - 1/16 - 9/16 = 3/8, and 4/6 of the
// samples.
func TestGini(t *testing.T) {
	for _, tc := range []struct {
		name         string
		below, above []int
		want         float64
	}{
		{"by hand", []int{0, 0}, []int{0, 1, 1, 1}, 0.25},
		{"both pure", []int{2, 2}, []int{0}, 0},
		{"nothing below", nil, []int{0, 1}, 0.5},
		{"three classes", []int{0, 1, 2}, nil, 2. / 3},
		{"both mixed", []int{0, 1}, []int{4, 3, 3, 4}, 0.5},
	} {
		if got := Gini(tc.below, tc.above); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestQuestions(t *testing.T) {
	deep := Ask(0, 2, Leaf(0), Ask(1, 2, Leaf(0), Leaf(1)))
	for _, tc := range []struct {
		name   string
		forest []*lab3.Tree
		want   int
	}{
		{"one of them twice", Stumps(2, 4, 2), 2},
		{"only a leaf", []*lab3.Tree{Leaf(1)}, 0},
		{"the feature counts", []*lab3.Tree{deep}, 2},
		{"below, too", []*lab3.Tree{Ask(0, 9, deep, Leaf(1))}, 3},
		{"two trees", append(Stumps(7), deep), 3},
	} {
		if got := Questions(tc.forest); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
	if got := Line(3); len(got) != 3 || got[0] != 1 || got[2] != 3 {
		t.Errorf("line %v", got)
	}
}

// Both ensembles learn the iris flowers far better than guessing.
func TestEnsembles(t *testing.T) {
	ds, err := datasets.LoadDataset("iris")
	if err != nil {
		t.Fatal(err)
	}
	forest, err := Forest(7, 0).FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	extra, err := Extra(9, 5, 0).FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	if len(forest.Trees()) != 7 || len(extra.Trees()) != 9 {
		t.Errorf("%d and %d trees, want 7 and 9", len(forest.Trees()), len(extra.Trees()))
	}
}
