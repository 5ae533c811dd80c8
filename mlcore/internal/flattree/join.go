package flattree

import "slices"

// A Part is a subtree that was grown apart from the tree it belongs to.
type Part struct {
	Tree          *Tree
	Distributions *Distributions
	From, To      int32 // its nodes in Tree
	At            int32 // the place in the tree above before which it belongs
	Parent        int32 // its parent in the tree above
	Right         bool  // whether it is the right child
}

// Join puts parts, in preorder, in their places in a tree of numeric tests and its
// distributions. A test that has a part as its left child has that next to it.
func Join(t *Tree, d *Distributions, parts []Part) {
	top, topD := *t, *d
	top.Nodes, top.Impurity, top.Samples, top.Weight = slices.Clone(t.Nodes), slices.Clone(t.Impurity), slices.Clone(t.Samples), slices.Clone(t.Weight)
	top.MissingLeft = slices.Clone(t.MissingLeft)
	topD.Class, topD.At, topD.Codes, topD.Weights = slices.Clone(d.Class), slices.Clone(d.At), slices.Clone(d.Codes), slices.Clone(d.Weights)
	t.Nodes, t.Impurity, t.Samples, t.Weight = t.Nodes[:0], t.Impurity[:0], t.Samples[:0], t.Weight[:0]
	t.MissingLeft = t.MissingLeft[:0]
	d.Class, d.At, d.Codes, d.Weights = d.Class[:0], d.At[:0], d.Codes[:0], d.Weights[:0]
	place, from := make([]int32, len(top.Nodes)), int32(0)
	for _, p := range parts {
		t.append(&top, from, p.At, place)
		d.append(&topD, from, p.At)
		from = p.At
		if p.Right {
			t.Nodes[place[p.Parent]].Right = int32(len(t.Nodes))
		}
		t.append(p.Tree, p.From, p.To, nil)
		d.append(p.Distributions, p.From, p.To)
	}
	t.append(&top, from, int32(len(top.Nodes)), place)
	d.append(&topD, from, int32(len(top.Nodes)))
	// A right child of the tree above knows its place only now.
	for i, n := range top.Nodes {
		if n.Right != int32(i) {
			t.Nodes[place[i]].Right = place[n.Right]
		}
	}
}

// append appends nodes from to to-1 of s and, unless it is nil, puts their places in
// place. Right children move along.
func (t *Tree) append(s *Tree, from, to int32, place []int32) {
	at := len(t.Nodes)
	by := int32(at) - from
	t.Nodes = append(t.Nodes, s.Nodes[from:to]...)
	for i := range t.Nodes[at:] {
		t.Nodes[at+i].Right += by
	}
	if place != nil {
		for i := from; i < to; i++ {
			place[i] = i + by
		}
	}
	t.Impurity = append(t.Impurity, s.Impurity[from:to]...)
	t.Samples = append(t.Samples, s.Samples[from:to]...)
	t.Weight = append(t.Weight, s.Weight[from:to]...)
	if t.Missing {
		t.MissingLeft = append(t.MissingLeft, s.MissingLeft[from:to]...)
	}
}

// append appends the distributions of nodes from to to-1 of s.
func (d *Distributions) append(s *Distributions, from, to int32) {
	if from == to {
		return
	}
	if len(d.At) == 0 {
		d.At = append(d.At, 0)
	}
	lo, hi := s.At[from], s.At[to]
	by := int32(len(d.Codes)) - lo
	for _, at := range s.At[from+1 : to+1] {
		d.At = append(d.At, at+by)
	}
	d.Class = append(d.Class, s.Class[from:to]...)
	d.Codes = append(d.Codes, s.Codes[lo:hi]...)
	d.Weights = append(d.Weights, s.Weights[lo:hi]...)
}
