package lab3

import (
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// A tree of two questions about five samples, by hand.
func TestQuestions(t *testing.T) {
	leaf := func(c int) *Tree { return &Tree{Class: c} }
	tree := &Tree{Feature: 1, Thresh: 1, Below: leaf(1),
		Above: &Tree{Feature: 0, Thresh: 2.5, Below: leaf(0), Above: leaf(1)}}
	X := mat.NewDense(5, 2, []float64{1, 0, 2, 1, 3, 2, 4, 0, 2.5, 1})
	want := []Question{{1, 1, []int{0, 1, 2, 3, 4}}, {0, 2.5, []int{1, 2, 4}}}
	if got := Questions(tree, X); !reflect.DeepEqual(got, want) {
		t.Errorf("questions %v, want %v", got, want)
	}
	if got := Questions(leaf(0), X); got != nil {
		t.Errorf("a leaf asks %v", got)
	}
	// Below 1 in feature 1 are rows 0 and 3, of classes 2 and 0; above, two of three are 1.
	y := []int{2, 1, 1, 0, 0}
	if c0, c1 := SideVotes(X, y, nil, Split{Feature: 1, Thresh: 1}); c0 != 0 || c1 != 1 {
		t.Errorf("votes %d and %d, want 0 and 1", c0, c1)
	}
	if c0, c1 := SideVotes(X, y, []float64{3, 1, 1, 1, 4}, Split{Feature: 1, Thresh: 1}); c0 != 2 || c1 != 0 {
		t.Errorf("votes by weight %d and %d, want 2 and 0", c0, c1)
	}
}

func TestNamedDrawing(t *testing.T) {
	leaf := func(c int) *Tree { return &Tree{Class: c} }
	tree := &Tree{Class: 1, Feature: 1, Thresh: 0.5, Below: leaf(1),
		Above: &Tree{Feature: 0, Thresh: 2.5, Below: leaf(0), Above: leaf(1)}}
	ds := &mlcore.Dataset{ClassNames: []string{"good", "bad"},
		Columns: []mlcore.Column{{Name: "price"}, {Name: "seats", Levels: []string{"2", "4", "more"}}}}
	root := NamedDrawing(tree, ds)
	got := []string{root.Text, root.Children[0].Edge, root.Children[0].Text,
		root.Children[1].Text, root.Children[1].Children[0].Text}
	want := []string{"seats: 4 or more ?", "no", "bad", "price >= 2.500 ?", "good"}
	if !reflect.DeepEqual(got, want) || root.Class != 1 {
		t.Errorf("texts %q, want %q", got, want)
	}
}

// Six samples, three of each class: by hand, all three criteria ask
// about 4, where both sides are pure and have the default MinSize.
func TestGrownBy(t *testing.T) {
	ds := &mlcore.Dataset{X: Column(1, 2, 3, 4, 5, 6), Y: []int{0, 0, 0, 1, 1, 1},
		Columns: []mlcore.Column{{Name: "x"}}, ClassNames: []string{"0", "1"}}
	for _, c := range []tree.Criterion{tree.Misclassification, tree.Gini, tree.Entropy} {
		grown := GrownBy(ds, c)
		if got, want := grown.String(), "(x0 < 4: 0, else: 1)"; got != want {
			t.Errorf("%v: %s, want %s", c, got, want)
		}
		for thresh, want := range map[float64]int{4: 1, 5: 0} {
			same, all := SameQuestions(grown, ds, func(X *mat.Dense, y []int) (Split, bool) {
				return Split{Thresh: thresh}, true
			})
			if same != want || all != 1 {
				t.Errorf("%v: %d of %d questions about %v, want %d of 1", c, same, all, thresh, want)
			}
		}
	}
	// A split that gains nothing is not made: both sides are as mixed as the whole.
	ds.Y = []int{0, 1, 0, 0, 1, 0}
	if got := GrownBy(ds, tree.Gini); !got.Leaf() {
		t.Errorf("a tree without a gain: %v", got)
	}
}
