package flattree

import "slices"

// A Growth is a tree that is being grown and the values of its nodes: Distributions in a
// classification tree, Values in a regression tree.
type Growth struct {
	Tree          Tree
	Distributions Distributions
	Values        []float64
}

// A Part is a subtree that was grown apart from the tree it belongs to.
type Part struct {
	Of       *Growth
	From, To int32 // its nodes in Of
	At       int32 // the place in the tree above before which it belongs
	Parent   int32 // its parent in the tree above
	Right    bool  // whether it is the right child
}

// Join puts parts, in preorder, in their places in the tree. A test that has a part as its
// left child has that next to it.
func (g *Growth) Join(parts []Part) {
	top := g.moved()
	place, from := make([]int32, len(top.Tree.Nodes)), int32(0)
	for _, p := range parts {
		g.append(&top, from, p.At, place)
		from = p.At
		if p.Right {
			g.Tree.Nodes[place[p.Parent]].Right = int32(len(g.Tree.Nodes))
		}
		g.append(p.Of, p.From, p.To, nil)
	}
	g.append(&top, from, int32(len(top.Tree.Nodes)), place)
	// A right child of the tree above knows its place only now.
	for i, n := range top.Tree.Nodes {
		if n.Right != int32(i) {
			g.Tree.Nodes[place[i]].Right = place[n.Right]
		}
	}
}

// moved empties g, which keeps its memory, and returns what was in it.
func (g *Growth) moved() Growth {
	t, d := &g.Tree, &g.Distributions
	m := Growth{*t, *d, move(&g.Values)}
	m.Tree.Nodes, m.Tree.Impurity, m.Tree.Samples, m.Tree.Weight = move(&t.Nodes), move(&t.Impurity), move(&t.Samples), move(&t.Weight)
	m.Tree.MissingLeft, m.Tree.Sets = move(&t.MissingLeft), move(&t.Sets)
	m.Distributions.Class, m.Distributions.At, m.Distributions.Codes, m.Distributions.Weights = move(&d.Class), move(&d.At), move(&d.Codes), move(&d.Weights)
	return m
}

func move[T any](s *[]T) []T {
	m := slices.Clone(*s)
	*s = (*s)[:0]
	return m
}

// append appends nodes from to to-1 of s, with their values, and, unless it is nil, puts
// their places in place.
func (g *Growth) append(s *Growth, from, to int32, place []int32) {
	if from == to {
		return
	}
	g.Tree.append(&s.Tree, from, to, place)
	if len(s.Values) > 0 {
		g.Values = append(g.Values, s.Values[from:to]...)
	} else {
		g.Distributions.append(&s.Distributions, from, to)
	}
}

// append is that of Growth without the values. Right children move along, as sets of
// categories do.
func (t *Tree) append(s *Tree, from, to int32, place []int32) {
	at := len(t.Nodes)
	by := int32(at) - from
	t.Nodes = append(t.Nodes, s.Nodes[from:to]...)
	for i := range t.Nodes[at:] {
		n := &t.Nodes[at+i]
		n.Right += by
		if n.Feature >= 0 && t.LevelsOf(n.Feature) > 0 {
			set := s.Sets[int(n.Cut):][:SetWords(t.LevelsOf(n.Feature))]
			n.Cut = float64(len(t.Sets))
			t.Sets = append(t.Sets, set...)
		}
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

// append appends the distributions of nodes from to to-1 of s, of which there is one.
func (d *Distributions) append(s *Distributions, from, to int32) {
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
