//go:build !unix

package process

import "time"

// Own does not know where a process cannot ask for its times.
func Own() (used time.Duration, known bool) { return 0, false }
