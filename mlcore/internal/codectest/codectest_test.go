package codectest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

type list []int

func (l list) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter("demo.list", 1)
	w.Ints(l)
	return w.Finish(), nil
}

func (l *list) UnmarshalBinary(data []byte) error {
	return codec.Decode(l, data, "demo.list", 1, func(r *codec.Reader, l *list) { *l = r.Ints() })
}

// No decoder is stopped by the checksum, whatever the fuzzer did to the body.
func FuzzSealed(f *testing.F) {
	Seeds(f)(list{1, 2, 3}, nil)
	Fuzz(f, func(t *testing.T, data []byte) {
		if err := new(list).UnmarshalBinary(data); Refused(t, err) && strings.Contains(err.Error(), "checksum") {
			t.Errorf("%d bytes: %v", len(data), err)
		}
	})
}

func TestRefused(t *testing.T) {
	for _, err := range []error{nil, mlcore.ErrCorrupt, fmt.Errorf("demo: %w", mlcore.ErrVersion)} {
		if got := Refused(t, err); got != (err != nil) {
			t.Errorf("refused is %t for error %v", got, err)
		}
	}
}
