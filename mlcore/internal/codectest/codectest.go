// Package codectest is what tests of decoders share. Into a fuzz target flow
// fitted models as seeds; the fuzzer changes their bytes, and what comes out has a
// right checksum, or no decoder would read further than that. For the battery of
// package mlcoretest, encoded models flow in and models come out; a round trip takes
// a fitted model and fills an empty one. Only tests
// import it.
package codectest

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

// Seeds returns a function that adds a fitted model, as a Fit method returns it,
// to the seeds of f. An error ends the target.
func Seeds(f *testing.F) func(m encoding.BinaryMarshaler, err error) {
	return func(m encoding.BinaryMarshaler, err error) {
		f.Helper()
		if err != nil {
			f.Fatal(err)
		}
		data, err := m.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(codec.Unsealed(data))
	}
}

// Fuzz runs decode on the fuzzer's bytes with a right checksum.
func Fuzz(f *testing.F, decode func(t *testing.T, data []byte)) {
	f.Fuzz(func(t *testing.T, body []byte) { decode(t, codec.Seal(slices.Clone(body))) })
}

// Refused reports whether a decoder that returned err refused its bytes. A refusal
// has to wrap [mlcore.ErrCorrupt] or [mlcore.ErrVersion].
func Refused(t *testing.T, err error) bool {
	t.Helper()
	if err != nil && !errors.Is(err, mlcore.ErrCorrupt) && !errors.Is(err, mlcore.ErrVersion) {
		t.Fatalf("error %v wraps neither ErrCorrupt nor ErrVersion", err)
	}
	return err != nil
}

// A decodable is a pointer to an M that can be read from bytes.
type decodable[M any] interface {
	*M
	encoding.BinaryUnmarshaler
}

// DecodeClassifier reads an M, for the Decode field of a battery's specification.
func DecodeClassifier[M any, P interface {
	decodable[M]
	mlcore.Classifier
}](data []byte) (mlcore.Classifier, error) {
	m := P(new(M))
	return m, m.UnmarshalBinary(data)
}

// DecodeRegressor is DecodeClassifier for regressors.
func DecodeRegressor[M any, P interface {
	decodable[M]
	mlcore.Regressor
}](data []byte) (mlcore.Regressor, error) {
	m := P(new(M))
	return m, m.UnmarshalBinary(data)
}

// Forms are the ways that a model goes to a file and back.
var Forms = []string{"binary", "JSON", "gob"}

// Pass sends a model through one of the Forms, into an empty one of its type.
func Pass(t testing.TB, form string, from, to any) {
	t.Helper()
	var err error
	switch form {
	case "binary":
		var data []byte
		if data, err = from.(encoding.BinaryMarshaler).MarshalBinary(); err == nil {
			err = to.(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
		}
	case "JSON":
		var data []byte
		if data, err = json.Marshal(from); err == nil {
			err = json.Unmarshal(data, to)
		}
	case "gob":
		var b bytes.Buffer
		if err = gob.NewEncoder(&b).Encode(from); err == nil {
			err = gob.NewDecoder(&b).Decode(to)
		}
	default:
		t.Fatalf("no such form: %q", form)
	}
	if err != nil {
		t.Fatalf("%T, %s: %v", from, form, err)
	}
}
