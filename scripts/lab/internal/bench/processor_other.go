//go:build !unix

package bench

import "time"

var began = time.Now()

// processorSeconds is the time of the clock where the system does not tell the processor's.
func processorSeconds() float64 { return time.Since(began).Seconds() }
