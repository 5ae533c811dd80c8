package id3

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// kind is the name of a model in files, from when ID3 was part of package tree.
const kind = "tree.ID3"

const formatVersion = 1

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too.
func (m *Model) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(kind, formatVersion)
	w.Ints(m.levels)
	w.Bool(m.missing)
	w.Int32s(m.feature)
	w.Int32s(m.kids)
	w.Int32s(m.children)
	w.Float64s(m.impurity)
	w.Int32s(m.samples)
	w.Float64s(m.weight)
	m.distributions.Write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *Model) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, kind, formatVersion, func(r *codec.Reader, c *Model) {
		c.levels, c.missing = r.Ints(), r.Bool()
		c.feature, c.kids, c.children = r.Int32s(), r.Int32s(), r.Int32s()
		c.impurity, c.samples, c.weight = r.Float64s(), r.Int32s(), r.Float64s()
		c.distributions = flattree.ReadDistributions(r, len(c.feature))
		if r.Err() == nil {
			c.validate(r)
		}
	})
}

// validate refuses a tree that prediction could not walk: a node has to come
// after its parent, and has one.
func (m *Model) validate(r *codec.Reader) {
	n := len(m.feature)
	if n == 0 || n > math.MaxInt32 || len(m.levels) == 0 || len(m.kids) != n || len(m.impurity) != n || len(m.samples) != n || len(m.weight) != n {
		r.Fail("columns of %d, %d, %d and %d for %d nodes", len(m.kids), len(m.impurity), len(m.samples), len(m.weight), n)
		return
	}
	for j, l := range m.levels {
		if l < 1 || l > math.MaxInt32 {
			r.Fail("%d levels in column %d", l, j)
			return
		}
	}
	parents := make([]int, n)
	for i, j := range m.feature {
		if j < 0 {
			continue
		}
		if int(j) >= len(m.levels) || m.kids[i] < 0 || int(m.kids[i])+m.width(int(j)) > len(m.children) {
			r.Fail("node %d tests feature %d of %d, its children begin at %d of %d", i, j, len(m.levels), m.kids[i], len(m.children))
			return
		}
		for _, k := range m.branches(i) {
			if k < -1 || k >= 0 && (int(k) <= i || int(k) >= n) {
				r.Fail("node %d has child %d of %d", i, k, n)
				return
			}
			if k >= 0 {
				parents[k]++
			}
		}
	}
	for i, p := range parents[1:] {
		if p != 1 {
			r.Fail("node %d has %d parents", i+1, p)
			return
		}
	}
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Model) MarshalJSON() ([]byte, error) { return codec.ToJSON(kind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see UnmarshalBinary.
func (m *Model) UnmarshalJSON(data []byte) error { return codec.FromJSON(kind, data, m) }
