//go:build !unix

package grading

import "time"

// processorTime is not known here, in the browser for one: the clock on the wall counts.
func processorTime() (used time.Duration, measured bool) { return 0, false }
