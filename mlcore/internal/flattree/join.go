package flattree

import "slices"

// A Growth is a tree that is being grown and the values of its nodes: Distributions in a
// classification tree, Values in a regression tree. The other one is empty.
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

// Join returns the tree of g with parts, in preorder, in their places, in memory of its own
// and of its size. A test that has a part as its left child has that next to it.
func (g *Growth) Join(parts []Part) Growth {
	if len(parts) == 0 {
		return g.clone()
	}
	out := g.room(parts)
	place, from := make([]int32, len(g.Tree.Nodes)), int32(0)
	for _, p := range parts {
		out.append(g, from, p.At, place)
		from = p.At
		if p.Right {
			out.Tree.Nodes[place[p.Parent]].Right = int32(len(out.Tree.Nodes))
		}
		out.append(p.Of, p.From, p.To, nil)
	}
	out.append(g, from, int32(len(g.Tree.Nodes)), place)
	// A right child of the tree above knows its place only now.
	for i, n := range g.Tree.Nodes {
		if n.Right != int32(i) {
			out.Tree.Nodes[place[i]].Right = place[n.Right]
		}
	}
	return out
}

func (g *Growth) clone() Growth {
	t, d := g.Tree, g.Distributions
	t.Nodes, t.Impurity, t.Samples, t.Weight = slices.Clone(t.Nodes), slices.Clone(t.Impurity), slices.Clone(t.Samples), slices.Clone(t.Weight)
	t.MissingLeft, t.Sets = slices.Clone(t.MissingLeft), slices.Clone(t.Sets)
	d.Class, d.At, d.Codes, d.Weights = slices.Clone(d.Class), slices.Clone(d.At), slices.Clone(d.Codes), slices.Clone(d.Weights)
	return Growth{t, d, slices.Clone(g.Values)}
}

// room returns a tree like g without nodes, with room for those of g, which has a root, and
// of parts.
func (g *Growth) room(parts []Part) Growth {
	t, d, regression := g.Tree, g.Distributions, len(g.Values) > 0
	nodes, weights := len(t.Nodes), len(d.Weights)
	for _, p := range parts {
		nodes += int(p.To - p.From)
		if !regression {
			weights += int(p.Of.Distributions.At[p.To] - p.Of.Distributions.At[p.From])
		}
	}
	t.Nodes, t.Impurity, t.Samples, t.Weight = make([]Node, 0, nodes), make([]float64, 0, nodes), make([]int32, 0, nodes), make([]float64, 0, nodes)
	t.MissingLeft, t.Sets = nil, nil
	if t.Missing {
		t.MissingLeft = make([]bool, 0, nodes)
	}
	if regression {
		return Growth{t, d, make([]float64, 0, nodes)}
	}
	d.Class, d.At, d.Codes, d.Weights = make([]int32, 0, nodes), make([]int32, 0, nodes+1), make([]int32, 0, weights), make([]float64, 0, weights)
	return Growth{t, d, nil}
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
