package typst

import "time"

// SetPatience sets how long a program may take to tell its version, until the test ends.
func SetPatience(t interface{ Cleanup(func()) }, d time.Duration) {
	before := patience
	patience = d
	t.Cleanup(func() { patience = before })
}
