package assess

import (
	"slices"
	"time"
)

// Seconds is how long work takes: the median of three runs after one that does not
// count.
func Seconds(work func()) float64 {
	work()
	times := make([]float64, 3)
	for i := range times {
		start := time.Now()
		work()
		times[i] = time.Since(start).Seconds()
	}
	slices.Sort(times)
	return times[1]
}
