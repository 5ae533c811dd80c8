package datasets

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// What goes wrong on another goroutine is an error where it is waited for.
func TestLater(t *testing.T) {
	var none []int
	for _, tc := range []struct {
		name string
		f    func() error
		want []error // that it wraps
		says string
	}{
		{"nothing", func() error { return nil }, nil, ""},
		{"an error", func() error { return io.EOF }, []error{io.EOF}, ""},
		{"a panic", func() error { panic("burst") }, []error{mlcore.ErrPanic}, "panic: burst"},
		{"a panic with an error", func() error { panic(io.ErrNoProgress) }, []error{mlcore.ErrPanic, io.ErrNoProgress}, "later_test.go"},
		{"a fault", func() error { _ = none[0]; return nil }, []error{mlcore.ErrPanic}, "index out of range"},
	} {
		err := all([]func() error{later(func() error { return nil }), later(tc.f), later(tc.f)})
		if (err == nil) != (tc.want == nil) {
			t.Errorf("%s: %v", tc.name, err)
		}
		for _, want := range tc.want {
			if !errors.Is(err, want) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: error %v, want %v that says %q", tc.name, err, want, tc.says)
			}
		}
	}
}
