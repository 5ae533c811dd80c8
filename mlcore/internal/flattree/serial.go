package flattree

import "github.com/mllabs-go/mllabs/mlcore/internal/codec"

// Write appends t to a message.
func (t *Tree) Write(w *codec.Writer) {
	w.Int(t.Features)
	w.Int(int(t.Rule))
	w.OptionalInts(t.Levels)
	w.Bool(t.Missing)
	cut, feature, right := make([]float64, len(t.Nodes)), make([]int32, len(t.Nodes)), make([]int32, len(t.Nodes))
	for i, n := range t.Nodes {
		cut[i], feature[i], right[i] = n.Cut, n.Feature, n.Right
	}
	w.Float64s(cut)
	w.Int32s(feature)
	w.Int32s(right)
	w.Bools(t.MissingLeft)
	w.Uint64s(t.Sets)
	w.Float64s(t.Impurity)
	w.Int32s(t.Samples)
	w.Float64s(t.Weight)
}

// ReadTree takes a tree from a message. What prediction could not walk makes r
// fail.
func ReadTree(r *codec.Reader) Tree {
	t := Tree{Features: r.Int(), Rule: Rule(r.Int()), Levels: r.OptionalInts(), Missing: r.Bool()}
	cut, feature, right := r.Float64s(), r.Int32s(), r.Int32s()
	if len(feature) != len(cut) || len(right) != len(cut) {
		r.Fail("nodes of %d, %d and %d", len(cut), len(feature), len(right))
	}
	if r.Err() != nil {
		return t
	}
	t.Nodes = make([]Node, len(cut))
	for i := range cut {
		t.Nodes[i] = Node{cut[i], feature[i], right[i]}
		if feature[i] < 0 {
			t.Nodes[i] = Leaf(int32(i))
			t.Nodes[i].Feature = feature[i]
		}
	}
	if side := r.Bools(); t.Missing {
		t.MissingLeft = side
	}
	t.Sets = r.Uint64s()
	t.Impurity, t.Samples, t.Weight = r.Float64s(), r.Int32s(), r.Float64s()
	if r.Err() != nil {
		return t
	}
	if err := t.Validate(); err != nil {
		r.Fail("%v", err)
	}
	return t
}

// Write appends d to a message.
func (d *Distributions) Write(w *codec.Writer) {
	w.Int(d.Classes)
	w.Int32s(d.Class)
	w.Int32s(d.At)
	w.Int32s(d.Codes)
	w.Float64s(d.Weights)
	w.Float64s(d.Shares)
}

// ReadDistributions takes the distributions of n nodes from a message.
func ReadDistributions(r *codec.Reader, n int) Distributions {
	d := Distributions{
		Classes: r.Int(), Class: r.Int32s(), At: r.Int32s(), Codes: r.Int32s(), Weights: r.Float64s(), Shares: r.Float64s(),
	}
	if r.Err() != nil {
		return d
	}
	if err := d.Validate(n); err != nil {
		r.Fail("%v", err)
	}
	return d
}
