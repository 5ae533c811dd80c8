package tree

import "github.com/mllabs-go/mllabs/mlcore/internal/codec"

const (
	classifierKind = "tree.Classifier"
	regressorKind  = "tree.Regressor"
	formatVersion  = 1
)

func (t *structure) write(w *codec.Writer) {
	w.Int(t.features)
	w.Int(int(t.rule))
	w.OptionalInts(t.levels)
	w.Bool(t.missing)
	cut, feature, right := make([]float64, len(t.nodes)), make([]int32, len(t.nodes)), make([]int32, len(t.nodes))
	for i, n := range t.nodes {
		cut[i], feature[i], right[i] = n.cut, n.feature, n.right
	}
	w.Float64s(cut)
	w.Int32s(feature)
	w.Int32s(right)
	w.Bools(t.missLeft)
	w.Uint64s(t.sets)
	w.Float64s(t.impurity)
	w.Int32s(t.samples)
	w.Float64s(t.weight)
}

func (t *structure) read(r *codec.Reader) {
	t.features = r.Int()
	t.rule = Rule(r.Int())
	t.levels = r.OptionalInts()
	t.missing = r.Bool()
	cut, feature, right := r.Float64s(), r.Int32s(), r.Int32s()
	if len(feature) != len(cut) || len(right) != len(cut) {
		r.Fail("nodes of %d, %d and %d", len(cut), len(feature), len(right))
	}
	if r.Err() != nil {
		return
	}
	t.nodes = make([]flat, len(cut))
	for i := range cut {
		t.nodes[i] = flat{cut[i], feature[i], right[i]}
		if feature[i] < 0 {
			t.nodes[i] = leafNode(int32(i))
			t.nodes[i].feature = feature[i]
		}
	}
	if side := r.Bools(); t.missing {
		t.missLeft = side
	}
	t.sets = r.Uint64s()
	t.impurity, t.samples, t.weight = r.Float64s(), r.Int32s(), r.Float64s()
	if r.Err() != nil {
		return
	}
	if err := t.validate(); err != nil {
		r.Fail("%v", err)
	}
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too.
func (m *Classifier) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(classifierKind, formatVersion)
	m.structure.write(w)
	m.distributions.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *Classifier) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, classifierKind, formatVersion, func(r *codec.Reader, c *Classifier) {
		c.structure.read(r)
		c.distributions.read(r, len(c.nodes))
	})
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too.
func (m *Regressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(regressorKind, formatVersion)
	m.structure.write(w)
	w.Float64s(m.value)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *Regressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, regressorKind, formatVersion, func(r *codec.Reader, c *Regressor) {
		c.structure.read(r)
		c.value = r.Float64s()
		if len(c.value) != len(c.nodes) {
			r.Fail("%d values for %d nodes", len(c.value), len(c.nodes))
		}
	})
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Classifier) MarshalJSON() ([]byte, error) { return codec.ToJSON(classifierKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see UnmarshalBinary.
func (m *Classifier) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(classifierKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Regressor) MarshalJSON() ([]byte, error) { return codec.ToJSON(regressorKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see UnmarshalBinary.
func (m *Regressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(regressorKind, data, m)
}
