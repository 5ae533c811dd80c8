// Package codectest is what the fuzz targets of decoders share. Fitted models flow
// in as seeds; the fuzzer changes their bytes, and what comes out has a right
// checksum, or no decoder would read further than that. Only tests import it.
package codectest

import (
	"encoding"
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
