package id3

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

var _ = archive.Register("id3.Model", 1, func(c *archive.Coder, m *Model) {
	c.Ints("levels", &m.levels)
	c.Bool("allow_missing", &m.missing)
	c.Int32s("feature", &m.feature)
	c.Int32s("first_child", &m.kids)
	c.Int32s("children", &m.children)
	c.Float64s("impurity", &m.impurity)
	c.Int32s("samples", &m.samples)
	c.Float64s("weight", &m.weight)
	m.distributions.Fields(c, len(m.feature))
	if c.Reading() {
		m.validate(c)
	}
})

// validate refuses a tree that prediction could not walk: a node has to come
// after its parent, and has one.
func (m *Model) validate(c *archive.Coder) {
	n := len(m.feature)
	if n == 0 || n > math.MaxInt32 || len(m.levels) == 0 || len(m.kids) != n || len(m.impurity) != n || len(m.samples) != n || len(m.weight) != n {
		c.Fail("columns of %d, %d, %d and %d for %d nodes", len(m.kids), len(m.impurity), len(m.samples), len(m.weight), n)
		return
	}
	for j, l := range m.levels {
		if l < 1 || l > math.MaxInt32 {
			c.Fail("%d levels in column %d", l, j)
			return
		}
	}
	parents := make([]int, n)
	for i, j := range m.feature {
		if j < 0 {
			continue
		}
		if int(j) >= len(m.levels) || m.kids[i] < 0 || int(m.kids[i])+m.width(int(j)) > len(m.children) {
			c.Fail("node %d tests feature %d of %d, its children begin at %d of %d", i, j, len(m.levels), m.kids[i], len(m.children))
			return
		}
		for _, k := range m.branches(i) {
			if k < -1 || k >= 0 && (int(k) <= i || int(k) >= n) {
				c.Fail("node %d has child %d of %d", i, k, n)
				return
			}
			if k >= 0 {
				parents[k]++
			}
		}
	}
	for i, p := range parents[1:] {
		if p != 1 {
			c.Fail("node %d has %d parents", i+1, p)
			return
		}
	}
}

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
func (m *Model) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }
