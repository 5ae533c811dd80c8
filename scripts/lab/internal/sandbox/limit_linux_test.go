package sandbox

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The kernel comes after the watcher even where it counts a quarter more. Oracle: eight loops
// on two processors, held to 6 s, were killed after 5.82 to 6.18 s of getrusage's time, and one
// on a busier machine, held to 23 s, after 20.76 s.
func TestTheKernelComesLast(t *testing.T) {
	for _, cpu := range []time.Duration{time.Second, 16 * time.Second, 20 * time.Second, 10 * time.Minute} {
		for _, r := range (Limits{CPU: cpu}).resources() {
			if r.number != unix.RLIMIT_CPU {
				continue
			}
			if kernel := time.Duration(r.most) * time.Second * 4 / 5; kernel < cpu+interval {
				t.Errorf("a job of %v may be killed after %v", cpu, kernel)
			}
		}
	}
}
