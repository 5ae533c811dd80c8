package lab3

import (
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

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
