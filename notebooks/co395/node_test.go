package co395

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// The oracle is the tree that was copied.
func TestNewNodeCopiesTheTree(t *testing.T) {
	train, fresh := datasets.MakeMoons(150, 0.3, 1), datasets.MakeMoons(1000, 0.3, 2)
	m, err := tree.Config{Criterion: tree.Entropy}.FitClassifier(train)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(fresh.X)
	if err != nil {
		t.Fatal(err)
	}
	for name, root := range map[string]*Node{"NewNode": NewNode(m), "Grow": Grow(train)} {
		if got := root.Predict(fresh.X); !slices.Equal(got, want) {
			t.Errorf("%s: the copy predicts otherwise than the tree", name)
		}
		if root.Leaves() != m.NumLeaves() {
			t.Errorf("%s: %d leaves, want %d", name, root.Leaves(), m.NumLeaves())
		}
		if n := root.Errors(train); n != 0 {
			t.Errorf("%s: %d training errors of a full tree, want none", name, n)
		}
	}
}

// By hand: below or at 2 the class is 0, above it 1.
func TestEqualsGoToTheLeft(t *testing.T) {
	root := &Node{Class: 1, Threshold: 2, Left: &Node{Class: 0}, Right: &Node{Class: 1}}
	ds := line([]float64{1, 2, 3}, []int{0, 1, 1})
	if got, want := root.Predict(ds.X), []int{0, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("predicted %v, want %v", got, want)
	}
	if n := root.Errors(ds); n != 1 {
		t.Errorf("%d errors, want 1", n)
	}
	root.Left, root.Right = nil, nil
	if got, want := root.Predict(ds.X), []int{1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("cut down to a leaf: predicted %v, want %v", got, want)
	}
}

// By hand, from the table: the weather gains most, snow is pure, on sunny days the bag
// decides and on rainy ones whether somebody was late.
func TestMultiwayTreeOfTheMornings(t *testing.T) {
	ds := Mornings()
	m, err := id3.Config{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	root := MultiwayTree(m, ds)
	var edges, texts []string
	for _, branch := range root.Children {
		edges, texts = append(edges, branch.Edge), append(texts, branch.Text)
	}
	if root.Text != "weather?\n3, 7, 2" {
		t.Errorf("root %q", root.Text)
	}
	if want := []string{"sun", "rain", "snow"}; !slices.Equal(edges, want) {
		t.Errorf("branches %q, want %q", edges, want)
	}
	if want := []string{"bag?\n3, 2, 0", "late?\n0, 2, 2", "bus\n0, 3, 0"}; !slices.Equal(texts, want) {
		t.Errorf("nodes %q, want %q", texts, want)
	}
	if m.NumLeaves() != 6 {
		t.Errorf("%d leaves, want 6", m.NumLeaves())
	}
	if rows := MorningRows(); len(rows) != ds.Len()+1 {
		t.Errorf("%d rows with their headings for %d samples", len(rows), ds.Len())
	}
}
