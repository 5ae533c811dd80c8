package flattree

import "github.com/mllabs-go/mllabs/mlcore/internal/archive"

// Fields names the fields of a tree. What prediction could not walk makes c fail.
func (t *Tree) Fields(c *archive.Coder) {
	c.Int("features", &t.Features)
	archive.Enum(c, "rule", &t.Rule, "at most", "at least")
	c.OptionalInts("levels", &t.Levels)
	c.Bool("allow_missing", &t.Missing)
	cut, feature, right := make([]float64, len(t.Nodes)), make([]int32, len(t.Nodes)), make([]int32, len(t.Nodes))
	for i, n := range t.Nodes {
		cut[i], feature[i], right[i] = n.Cut, n.Feature, n.Right
	}
	c.Float64s("threshold", &cut)
	c.Int32s("feature", &feature)
	c.Int32s("right", &right)
	c.Bools("missing_left", &t.MissingLeft)
	c.Uint64s("category_sets", &t.Sets)
	c.Float64s("impurity", &t.Impurity)
	c.Int32s("samples", &t.Samples)
	c.Float64s("weight", &t.Weight)
	if !c.Reading() {
		return
	}
	if len(feature) != len(cut) || len(right) != len(cut) {
		c.Fail("nodes of %d, %d and %d", len(cut), len(feature), len(right))
		return
	}
	t.Nodes = make([]Node, len(cut))
	for i := range cut {
		t.Nodes[i] = Node{cut[i], feature[i], right[i]}
		if feature[i] < 0 {
			t.Nodes[i] = Leaf(int32(i))
			t.Nodes[i].Feature = feature[i]
		}
	}
	switch {
	case !t.Missing:
		t.MissingLeft = nil
	case t.MissingLeft == nil:
		t.MissingLeft = []bool{}
	}
	if err := t.Validate(); err != nil {
		c.Fail("%v", err)
	}
}

// Fields names the fields of the distributions of n nodes.
func (d *Distributions) Fields(c *archive.Coder, n int) {
	c.Int("classes", &d.Classes)
	c.Int32s("class", &d.Class)
	c.Int32s("at", &d.At)
	c.Int32s("codes", &d.Codes)
	c.Float64s("class_weights", &d.Weights)
	c.Float64s("class_shares", &d.Shares)
	if c.Reading() {
		if err := d.Validate(n); err != nil {
			c.Fail("%v", err)
		}
	}
}

// Fields names the fields of a classifier.
func (m *Classifier) Fields(c *archive.Coder) {
	m.tree.Fields(c)
	m.distributions.Fields(c, len(m.tree.Nodes))
	if c.Reading() {
		m.distributions.index()
	}
}

// Fields names the fields of a regressor.
func (m *Regressor) Fields(c *archive.Coder) {
	m.tree.Fields(c)
	c.Float64s("value", &m.values)
	c.Check(len(m.values) == len(m.tree.Nodes), "%d values for %d nodes", len(m.values), len(m.tree.Nodes))
}
