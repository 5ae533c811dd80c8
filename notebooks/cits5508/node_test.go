package cits5508

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestNode(t *testing.T) {
	leaf := func(class int) *Node { return &Node{Class: class} }
	stump := &Node{Feature: 1, T: 2.5, Left: leaf(0), Right: leaf(1)}
	for _, c := range []struct {
		tree    *Node
		text    string
		x       []float64 // rows of two features
		classes []int
	}{
		{leaf(3), "3", []float64{1, 2}, []int{3}},
		{stump, "(x1 <= 2.5: 0, else 1)", []float64{9, 2.5, 9, 2.6}, []int{0, 1}},
		{&Node{T: -1, Left: leaf(2), Right: stump}, "(x0 <= -1: 2, else (x1 <= 2.5: 0, else 1))",
			[]float64{-2, 9, 0, 9, 0, 1}, []int{2, 1, 0}},
	} {
		if got := c.tree.String(); got != c.text {
			t.Errorf("%s, want %s", got, c.text)
		}
		if got := c.tree.Predict(mat.NewDense(len(c.x)/2, 2, c.x)); !slices.Equal(got, c.classes) {
			t.Errorf("%s predicts %v, want %v", c.text, got, c.classes)
		}
	}
}
