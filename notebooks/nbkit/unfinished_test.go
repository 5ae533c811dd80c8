package nbkit

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// The cases that were tried stand in the score as they ended, then comes the one in which the
// program ended, and the others were not tried.
func TestEndedIn(t *testing.T) {
	cases := []Case{{Name: "a"}, {Name: "b", Hint: "look"}, {Name: "c"}}
	for _, c := range []struct {
		name   string
		tried  []error
		passed int
		want   []error // of the cases, nil where it passed
	}{
		{"in the first", nil, 0, []error{errEnded, errNotReached, errNotReached}},
		{"after one that passed", []error{nil}, 1, []error{nil, errEnded, errNotReached}},
		{"in the last, after one that failed", []error{nil, ErrNotImplemented}, 1, []error{nil, ErrNotImplemented, errEnded}},
	} {
		var so []tried
		for _, err := range c.tried {
			so = append(so, tried{err: err})
		}
		s := endedIn("F", cases, so)
		if s.Title != "F" || s.Passed != c.passed || s.Of != 3 {
			t.Errorf("%s: %+v", c.name, s)
		}
		for i, err := range c.want {
			got := s.Cases[i]
			if got.Passed != (err == nil) || err != nil && got.Message != err.Error() || got.NoAnswer != (err == errEnded) || got.Unwritten != errors.Is(err, ErrNotImplemented) {
				t.Errorf("%s: case %d is %+v, want %v", c.name, i, got, err)
			}
		}
	}
}

// What is called before each case knows how those before it ended, and how long it may take.
func TestBeforeEach(t *testing.T) {
	answer := func() any { return 1 }
	cases := []Case{{Got: answer, Want: 1}, {Got: answer, Want: 2, Limit: time.Minute}, {Got: answer, Want: 1}}
	var passed []int
	var limits []time.Duration
	try(cases, func(so []tried, limit time.Duration) {
		passed = append(passed, endedIn("", cases, so).Passed)
		limits = append(limits, limit)
	})
	if !slices.Equal(passed, []int{0, 1, 1}) || !slices.Equal(limits, []time.Duration{10 * time.Second, time.Minute, 10 * time.Second}) {
		t.Errorf("before the cases %v have passed, and they may take %v", passed, limits)
	}
}
