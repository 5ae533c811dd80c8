package grading

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// In a notebook the wall counts, so that a case that sleeps ends; a program that grades
// waits for one that has used no processor time.
func TestAfter(t *testing.T) {
	up, stop := After(time.Millisecond)
	<-up
	stop()
	if _, measured := processorTime(); !measured {
		t.Skip("no processor time on " + runtime.GOOS)
	}
	on.Store(true)
	defer on.Store(false)
	up, stop = After(5 * time.Second)
	time.Sleep(3 * look)
	select {
	case <-up:
		t.Error("up without work")
	default:
	}
	stop()
	var done atomic.Bool
	go func() { // a loop that never ends, but for this test
		for !done.Load() {
		}
	}()
	up, stop = After(50 * time.Millisecond)
	<-up
	stop()
	done.Store(true)
	up, stop = After(look / 4) // on the wall, three times that
	<-up
	stop()
	// What works a third of the time, as if others did the rest, has all of its limit.
	const limit = 10 * look
	begun, _ := processorTime()
	done.Store(false)
	go func() {
		for !done.Load() {
			for before, now := time.Now(), time.Now(); now.Sub(before) < look; now = time.Now() {
			}
			time.Sleep(2 * look)
		}
	}()
	up, stop = After(limit)
	<-up
	stop()
	done.Store(true)
	if now, _ := processorTime(); now-begun < limit {
		t.Errorf("time was up after %v of processor time, %v are the limit", now-begun, limit)
	}
	asleep = 2 * look
	defer func() { asleep = 5 * time.Second }()
	up, stop = After(time.Hour) // nobody works
	<-up
	stop()
}
