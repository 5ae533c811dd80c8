package kernel

import (
	"encoding/base64"
	"encoding/json"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A message is something to display, in Jupyter's words, for a page or a record. Bytes are
// in base64.
type message struct {
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
	ID       string         `json:"id,omitempty"` // of what is updated in place
}

// written returns something to display as JSON.
func written(data *protocol.DisplayData) (string, error) {
	m := message{Data: map[string]any{}, Metadata: data.Metadata, ID: data.DisplayID}
	for kind, v := range data.Data {
		if b, isBytes := v.([]byte); isBytes {
			v = base64.StdEncoding.EncodeToString(b)
		}
		m.Data[string(kind)] = v
	}
	text, err := json.Marshal(m)
	return string(text), err
}
