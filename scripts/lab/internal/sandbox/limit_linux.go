package sandbox

import (
	"time"

	"golang.org/x/sys/unix"
)

// limitProcess limits a process from outside, and what it starts from then on. It says
// nothing where a lower limit stands already. The number of processes is left alone,
// since the kernel counts all those of a user.
func limitProcess(pid int, l Limits) {
	for _, r := range l.resources() {
		unix.Prlimit(pid, r.number, &unix.Rlimit{Cur: r.most, Max: r.most}, nil)
	}
}

// A resource is one that the kernel limits for each process.
type resource struct {
	name   string // as prlimit knows it
	number int
	most   uint64
}

func (l Limits) resources() []resource {
	// The watcher has to be before the kernel, which says nothing of why it kills. Most kernels
	// hold a process to the clock ticks that found it at work, which on a busy machine are a
	// tenth more than the processor time that it had.
	cpu := 2*l.CPU + 2*time.Second
	return []resource{
		{"cpu", unix.RLIMIT_CPU, uint64((cpu + time.Second - 1) / time.Second)},
		{"data", unix.RLIMIT_DATA, uint64(l.Memory)},
		{"fsize", unix.RLIMIT_FSIZE, uint64(l.Disk)},
		{"core", unix.RLIMIT_CORE, 0},
	}
}
