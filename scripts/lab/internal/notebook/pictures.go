package notebook

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	_ "image/jpeg" // whose sizes are looked at
	_ "image/png"
	"maps"
	"slices"
	"strings"
)

// A Picture is attached to a cell, or among its outputs.
type Picture struct {
	Type string `json:"type"` // "image/png" or "image/jpeg": formats that hold no script
	Data []byte `json:"data"`
}

// Pictures are the cell's pictures, the first most of them and each of at most size bytes;
// cut says that there are others. What is no picture is passed over.
func (c *Cell) Pictures(most, size int) (list []Picture, cut bool) {
	take := func(kind, text string) {
		if base64.StdEncoding.DecodedLen(len(text)) > size+size/50 || len(list) == most { // lines end in between
			cut = true
			return
		}
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		switch {
		case err != nil || len(data) == 0:
		case len(data) > size || !drawable(data):
			cut = true
		default:
			list = append(list, Picture{kind, data})
		}
	}
	for _, raw := range c.unread {
		picturesIn(raw, take)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Attachments)) {
		raw, err := json.Marshal(c.Attachments[name])
		if err == nil {
			picturesIn(raw, take)
		}
	}
	for _, o := range c.Outputs {
		for _, kind := range pictureTypes {
			if text, ok := o.Data[kind].(string); ok {
				take(kind, text)
			}
		}
	}
	return list, cut
}

// maxPixels is the largest picture that a browser is asked to unpack: a file of few bytes
// may be a picture of gigabytes.
const maxPixels = 40_000_000

// drawable reports whether a picture can be read and is not too large. What image knows
// nothing of is left to the browser, which shows nothing in its place.
func drawable(data []byte) bool {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	return err != nil || c.Width <= maxPixels/max(c.Height, 1)
}

var pictureTypes = []string{"image/png", "image/jpeg"}

// picturesIn takes the values of all keys that are types of pictures. It reads JSON piece
// by piece, because a text of many small pieces takes a hundred times its length otherwise.
func picturesIn(raw []byte, take func(kind, text string)) {
	d := json.NewDecoder(bytes.NewReader(raw))
	var objects []bool // of the containers that are open, which are objects
	key := false       // the next token is one
	for {
		t, err := d.Token()
		if err != nil {
			return
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			objects = append(objects, t == json.Delim('{'))
		case json.Delim('}'), json.Delim(']'):
			objects = objects[:len(objects)-1]
		default:
			if name, isText := t.(string); key && isText {
				key = false
				if slices.Contains(pictureTypes, name) {
					var value text
					if d.Decode(&value) != nil {
						return
					}
					take(name, string(value))
					key = true
				}
				continue
			}
		}
		key = len(objects) > 0 && objects[len(objects)-1]
	}
}
