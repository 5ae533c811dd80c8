package tree

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

const (
	classifierKind = "tree.Classifier"
	regressorKind  = "tree.Regressor"
	formatVersion  = 1
)

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too.
func (m *Classifier) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(classifierKind, formatVersion)
	m.tree().Write(w)
	m.distributions().Write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *Classifier) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, classifierKind, formatVersion, func(r *codec.Reader, c *Classifier) {
		t := flattree.ReadTree(r)
		*c = Classifier(*flattree.NewClassifier(t, flattree.ReadDistributions(r, len(t.Nodes))))
	})
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too.
func (m *Regressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(regressorKind, formatVersion)
	m.tree().Write(w)
	w.Float64s(m.values())
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *Regressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, regressorKind, formatVersion, func(r *codec.Reader, c *Regressor) {
		t, values := flattree.ReadTree(r), r.Float64s()
		if len(values) != len(t.Nodes) {
			r.Fail("%d values for %d nodes", len(values), len(t.Nodes))
		}
		*c = Regressor(*flattree.NewRegressor(t, values))
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
