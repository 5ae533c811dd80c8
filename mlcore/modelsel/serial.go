package modelsel

import "github.com/mllabs-go/mllabs/mlcore/internal/archive"

var _ = archive.Register("modelsel.ThresholdClassifier", 1, func(c *archive.Coder, m *ThresholdClassifier) {
	c.Float64("threshold", &m.threshold)
	archive.Part(c, "model", &m.model)
	if c.Reading() {
		c.Check(m.threshold >= 0 && m.threshold <= 1, "threshold %v", m.threshold)
		if err := m.check(); err != nil {
			c.Fail("%v", err)
		}
	}
})

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
func (m *ThresholdClassifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *ThresholdClassifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }
