package extratrees

import (
	"math"
	"testing"

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
	leaf := &lab3.Tree{}
	ask := func(feature int, thresh float64, below, above *lab3.Tree) *lab3.Tree {
		return &lab3.Tree{Feature: feature, Thresh: thresh, Below: below, Above: above}
	}
	stump := func(thresh float64) *lab3.Tree { return ask(0, thresh, leaf, leaf) }
	deep := ask(0, 2, leaf, ask(1, 2, leaf, leaf))
	for _, tc := range []struct {
		name   string
		forest []*lab3.Tree
		want   int
	}{
		{"one of them twice", []*lab3.Tree{stump(2), stump(4), stump(2)}, 2},
		{"only a leaf", []*lab3.Tree{leaf}, 0},
		{"the feature counts", []*lab3.Tree{deep}, 2},
		{"below, too", []*lab3.Tree{ask(0, 9, deep, leaf)}, 3},
		{"two trees", []*lab3.Tree{stump(7), deep}, 3},
	} {
		if got := Questions(tc.forest); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}
