package archive

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
)

const (
	magic     = "mllabs model\n"
	oldMagic  = "MLLB" // of the development versions before v0.1.0
	format    = 1
	sealBytes = 4
)

// Marshal returns m, a model of a registered kind, in the binary form. It returns
// the same bytes for the same model.
func Marshal(m any) ([]byte, error) {
	w := &binaryWriter{}
	c := &Coder{form: w}
	if body(c, &m); c.err != nil {
		return nil, c.err
	}
	parts := w.buf
	w.buf = []byte(magic)
	head(c)
	schemas(c, &c.schemas)
	message := Seal(append(w.buf, parts...))
	if c.refuseClaims(len(message)); c.err != nil {
		return nil, c.err
	}
	return message, nil
}

// Seal appends the checksum of body to it.
func Seal(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(body, crc32.ChecksumIEEE(body))
}

// Unsealed returns a message without its checksum.
func Unsealed(message []byte) []byte { return message[:len(message)-sealBytes] }

// head takes what stands before the schemas.
func head(c *Coder) {
	f, lib := format, mlcore.Version
	c.Int("format", &f)
	if c.reading && c.err == nil && f != format {
		c.Refuse(fmt.Errorf("%w: format %d of model files; this build reads %d, a newer release may read it", mlcore.ErrVersion, f, format))
	}
	c.String("library", &lib)
}

// Unmarshal reads a model from the binary form. M is what it has to be: a pointer
// to a model, or an interface such as mlcore.Classifier.
func Unmarshal[M any](data []byte) (M, error) {
	var m M
	if strings.HasPrefix(string(data[:min(len(data), len(oldMagic))]), oldMagic) {
		return m, fmt.Errorf("%w: written by a development version before v0.1.0; fit and save the model again", mlcore.ErrVersion)
	}
	if len(data) < len(magic)+sealBytes || string(data[:len(magic)]) != magic {
		return m, fmt.Errorf("%w: not an mllabs model", mlcore.ErrCorrupt)
	}
	whole := Unsealed(data)
	if crc32.ChecksumIEEE(whole) != binary.LittleEndian.Uint32(data[len(whole):]) {
		return m, fmt.Errorf("%w: checksum mismatch in %d bytes, truncated or altered", mlcore.ErrCorrupt, len(data))
	}
	c := &Coder{reading: true, bounds: bounds(len(data))}
	r := &binaryReader{buf: whole[len(magic):], c: c}
	c.form = r
	head(c)
	schemas(c, &c.schemas)
	body(c, &m)
	c.Check(len(r.buf) == 0, "%d bytes left over", len(r.buf))
	return settle(c, m)
}

// settle returns what was read, or the zero M and the error.
func settle[M any](c *Coder, m M) (M, error) {
	if c.err != nil {
		var none M
		return none, c.err
	}
	return m, nil
}

// MarshalJSON returns m in the form that a person can read. It holds the same
// numbers, and so the same model, as the binary form.
func MarshalJSON(m any) ([]byte, error) {
	w := &jsonWriter{depth: 1}
	c := &Coder{form: w}
	if Part(c, "model", &m); c.err != nil {
		return nil, c.err
	}
	part := w.buf
	*w = jsonWriter{}
	w.nested('{', '}', func() {
		head(c)
		schemas(c, &c.schemas)
		w.buf = append(append(w.buf, ','), part...)
	})
	message := append(w.buf, '\n')
	if c.refuseClaims(len(message)); c.err != nil {
		return nil, c.err
	}
	return message, nil
}

// UnmarshalJSON reads what [MarshalJSON] wrote; see [Unmarshal].
func UnmarshalJSON[M any](data []byte) (M, error) {
	var m M
	if !json.Valid(data) {
		var v any
		return m, fmt.Errorf("%w: not JSON: %v", mlcore.ErrCorrupt, json.Unmarshal(data, &v))
	}
	c := &Coder{reading: true, bounds: bounds(len(data))}
	r := &jsonReader{c: c}
	c.form = r
	r.within("", data, func() {
		head(c)
		schemas(c, &c.schemas)
		Part(c, "model", &m)
	})
	return settle(c, m)
}

// Decode reads a model into *m, which is left as it was on an error: what an
// UnmarshalBinary method does.
func Decode[M any](m *M, data []byte) error {
	read, err := Unmarshal[*M](data)
	if err == nil {
		*m = *read
	}
	return err
}
