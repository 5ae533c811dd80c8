package codec

import (
	"encoding"
	"encoding/json"
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
)

// The JSON form of a model is an object that carries its binary form: whole and
// bit-exact, not meant for reading.
type jsonModel struct {
	Kind  string `json:"kind"`
	Model []byte `json:"model"`
}

// ToJSON wraps the binary form of a model of the given kind in a JSON object.
func ToJSON(kind string, m encoding.BinaryMarshaler) ([]byte, error) {
	data, err := m.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return json.Marshal(jsonModel{kind, data})
}

// FromJSON decodes what ToJSON made into m. Other JSON, and models of another
// kind, are refused with an error that wraps [mlcore.ErrCorrupt].
func FromJSON(kind string, data []byte, m encoding.BinaryUnmarshaler) error {
	var j jsonModel
	if err := json.Unmarshal(data, &j); err != nil {
		return fmt.Errorf("%w: %v", mlcore.ErrCorrupt, err)
	}
	if j.Kind != kind {
		return fmt.Errorf("%w: holds a %q, not a %q", mlcore.ErrCorrupt, j.Kind, kind)
	}
	return m.UnmarshalBinary(j.Model)
}
