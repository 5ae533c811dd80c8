package lab3

import (
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A tree of two questions about five samples, by hand.
func TestQuestions(t *testing.T) {
	leaf := func(c int) *Tree { return &Tree{Class: c} }
	tree := &Tree{Feature: 1, Thresh: 1, Below: leaf(1),
		Above: &Tree{Feature: 0, Thresh: 2.5, Below: leaf(0), Above: leaf(1)}}
	X := mat.NewDense(5, 2, []float64{1, 0, 2, 1, 3, 2, 4, 0, 2.5, 1})
	want := []question{{1, 1, []int{0, 1, 2, 3, 4}}, {0, 2.5, []int{1, 2, 4}}}
	if got := questionsOf(tree, X); !reflect.DeepEqual(got, want) {
		t.Errorf("questions %v, want %v", got, want)
	}
	if got := questionsOf(leaf(0), X); got != nil {
		t.Errorf("a leaf asks %v", got)
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

// Six samples and one question about 4: a search that asks about 4 agrees, one that asks about
// 5 does not.
func TestSameQuestions(t *testing.T) {
	ds := mlcore.FromMatrix(Column(1, 2, 3, 4, 5, 6), []int{0, 0, 0, 1, 1, 1}, nil)
	tree := &Tree{Thresh: 4, Below: &Tree{}, Above: &Tree{Class: 1}}
	for thresh, want := range map[float64]int{4: 1, 5: 0} {
		same, all := SameQuestions(tree, ds, func(*mat.Dense, []int) (Split, bool) {
			return Split{Thresh: thresh}, true
		})
		if same != want || all != 1 {
			t.Errorf("%d of %d questions about %v, want %d of 1", same, all, thresh, want)
		}
	}
}
