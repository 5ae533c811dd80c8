//go:build unix

package process

import (
	"syscall"
	"time"
)

// Own is the processor time that this process has used so far, in all its threads. known
// is false where it cannot be told.
func Own() (used time.Duration, known bool) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}
