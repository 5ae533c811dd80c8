package notebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ParseSources reads of a notebook's JSON only what its author wrote: the cells with
// their ids and sources. Metadata are passed over, whatever they hold, and of outputs and
// attachments there is but what [Cell.Pictures] finds, so that a file which another program
// has saved, or somebody means harm with, takes little more memory than twice its length.
func ParseSources(b []byte) (*Notebook, error) {
	b, err := utf8Only(b)
	if err != nil {
		return nil, err
	}
	var raw struct {
		NBFormat int `json:"nbformat"`
		Cells    []struct {
			Type   string `json:"cell_type"`
			ID     string `json:"id"`
			Source text   `json:"source"`

			Attachments json.RawMessage `json:"attachments"`
			Outputs     json.RawMessage `json:"outputs"`
		} `json:"cells"`
	}
	err = json.Unmarshal(b, &raw)
	if err != nil {
		// Python writes numbers into outputs that JSON does not have.
		err = json.Unmarshal(withoutNaN(b), &raw)
	}
	if err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("not a notebook: byte %d: %w", syntax.Offset, err)
		}
		return nil, fmt.Errorf("not a notebook: %w", err)
	}
	if raw.NBFormat != 4 {
		return nil, fmt.Errorf("notebook format %d; only format 4 is known (open the file in Jupyter and save it)", raw.NBFormat)
	}
	nb := &Notebook{NBFormat: raw.NBFormat}
	for _, c := range raw.Cells {
		nb.Cells = append(nb.Cells, &Cell{Type: c.Type, ID: c.ID, Source: newlines.Replace(string(c.Source)), unread: []json.RawMessage{c.Attachments, c.Outputs}})
	}
	return nb, nil
}

// newlines ends lines as Go does, whatever program the notebook was saved by.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

var nan = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)

// withoutNaN has null for each number that is none, outside of texts.
func withoutNaN(b []byte) []byte {
	return nan.ReplaceAllFunc(b, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
}
