package tree

import "github.com/mllabs-go/mllabs/mlcore/internal/archive"

var (
	_ = archive.Register("tree.Classifier", 1, func(c *archive.Coder, m *Classifier) { m.flat().Fields(c) })
	_ = archive.Register("tree.Regressor", 1, func(c *archive.Coder, m *Regressor) { m.flat().Fields(c) })
)

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
func (m *Classifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Classifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Regressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }
