// Package grading says to nbkit that a program grades, which package harness has begun,
// and measures how long a case takes: in a notebook by the clock on the wall, where marks
// hang on it by processor time, so that a slow or busy machine gives the same marks.
package grading

import (
	"sync/atomic"
	"time"
)

// patience is how much longer than its limit of processor time a case may take on the
// wall: it may sleep, or wait for what never comes. From then on it has to have worked for
// one part in leastShare of its time, as it has on a machine that others keep busy.
const patience, leastShare = 3, 20

// asleep is how long a case may wait without any work being done before it is given up:
// what never comes, such as the receiver of a channel, need not be waited for.
var asleep = 5 * time.Second // a variable for tests

// look is how often the processor time is read.
const look = 20 * time.Millisecond

var on atomic.Bool

// Begin says that this program grades.
func Begin() { on.Store(true) }

// On says whether this program grades.
func On() bool { return on.Load() }

// After tells when the time is up; stop has to be called in the end.
func After(limit time.Duration) (timeUp <-chan time.Time, stop func()) {
	begun, measured := processorTime()
	if !On() || !measured {
		t := time.NewTimer(limit)
		return t.C, func() { t.Stop() }
	}
	up, done := make(chan time.Time, 1), make(chan struct{})
	go func() {
		tick := time.NewTicker(look)
		defer tick.Stop()
		start := time.Now()
		worked, since := begun, start // the processor time when work was last seen
		// Looks, not time: where this goroutine does not get a processor, the case does not.
		quiet := 0
		for {
			select {
			case <-done:
				return
			case t := <-tick.C:
				now, _ := processorTime()
				quiet++
				if now-worked > time.Since(since)/50 { // more than the looking itself
					worked, since, quiet = now, t, 0
				}
				used, elapsed := now-begun, time.Since(start)
				if used >= limit || time.Duration(quiet)*look > asleep || elapsed > patience*limit && used < elapsed/leastShare {
					up <- t
					return
				}
			}
		}
	}()
	return up, func() { close(done) }
}
