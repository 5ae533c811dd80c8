//go:build !linux

package process

import "time"

// Used does not know where a process cannot be asked for its times.
func Used(int) (used time.Duration, known bool) { return 0, false }
