// Package waits is the one limit of time of this module's tests. It ends what hangs; a
// machine that others use as well is slower, and its tests do not fail for that.
package waits

import (
	"testing"
	"time"
)

// Long is how long a test may wait for one thing. What takes a second on an idle machine
// has taken minutes beside twenty others.
const Long = 30 * time.Minute

// Left is how long t may wait for one thing: no longer than until go test ends the tests
// (-timeout), so that t can still tell what it waited for and end what it has started.
func Left(t testing.TB) time.Duration {
	if t, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, ok := t.Deadline(); ok {
			return min(Long, time.Until(end)*9/10)
		}
	}
	return Long
}

// Until waits until something is done, and says whether it was in time.
func Until(t testing.TB, done func() bool) bool {
	for end := time.Now().Add(Left(t)); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
