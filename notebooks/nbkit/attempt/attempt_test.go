package attempt

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit"
)

func TestCall(t *testing.T) {
	done := make(chan bool)
	defer close(done)
	var none []int
	for _, tc := range []struct {
		name  string
		limit time.Duration
		f     func()
		is    error
		says  string
	}{
		{"returns", time.Hour, func() {}, nil, ""},
		{"a stub", time.Hour, func() { panic("not implemented") }, nbkit.ErrNotImplemented, "not implemented yet"},
		{"panics", time.Hour, func() { none[3] = 1 }, nil, "panic: runtime error: index out of range [3] with length 0"},
		{"never ends", time.Millisecond, func() { <-done }, ErrNoAnswer, "no answer after 1ms: does a loop never end?"},
		{"another one afterwards", time.Hour, func() {}, nil, ""},
	} {
		err := Call(tc.name, tc.limit, tc.f)
		if tc.says == "" && err != nil || tc.says != "" && (err == nil || !strings.HasPrefix(err.Error(), tc.says)) || tc.is != nil && !errors.Is(err, tc.is) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.says)
		}
	}
}

// After a function that takes more and more memory nothing more is called.
func TestMemory(t *testing.T) {
	defer full.Store(false)
	var all [][]byte
	err := Call("appends", time.Hour, func() {
		for !full.Load() {
			all = append(all, make([]byte, 1<<20))
		}
	})
	if !errors.Is(err, ErrNoAnswer) || !strings.Contains(err.Error(), "more and more memory") {
		t.Errorf("%v", err)
	}
	called := false
	if err := Call("next", time.Hour, func() { called = true }); !errors.Is(err, ErrNoAnswer) || called {
		t.Errorf("%v, called: %t", err, called)
	}
}
