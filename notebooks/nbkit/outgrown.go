package nbkit

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/grading"
)

// A function that calls itself without an end fills its stack, and a loop that appends
// without an end the memory. Nothing in Go stops either, and the first ends the program
// without showing a case. So the memory is looked at while a case runs: where it has grown
// beyond what any answer needs, the score so far is shown and the program ended.
const (
	mostStack = 128 << 20 // bytes; Go ends a program at 512 MiB
	mostHeap  = 512 << 20 // bytes in use at the last collection, more than at the start of a case
	interval  = 10 * time.Millisecond
)

var (
	errStack     = fmt.Errorf("%w: a function calls itself again and again; where does that end?", errNoAnswer)
	errHeap      = fmt.Errorf("%w: it takes more and more memory, 512 MiB so far; does a loop append without an end?", errNoAnswer)
	errNotTried  = errors.New("not tried")
	errToBeEnded = fmt.Errorf("%w, since the program has to be ended first", errNotTried)
)

// tooBig says that a case cannot be stopped but with the whole program.
func tooBig(err error) bool { return errors.Is(err, errStack) || errors.Is(err, errHeap) }

// givenUp is how many cases have taken too long and go on nevertheless, maybe taking memory.
var givenUp atomic.Int32

// A usage is the memory in use, in bytes.
type usage struct{ stack, heap uint64 }

func measured() usage {
	s := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 || s[1].Value.Kind() != metrics.KindUint64 {
		return usage{} // of a Go that does not know them
	}
	return usage{s[0].Value.Uint64(), s[1].Value.Uint64()}
}

// grownFrom says which of the memory has grown too much.
func (u usage) grownFrom(start usage) error {
	switch {
	case u.stack > start.stack+mostStack:
		// So that there is time to show the score.
		debug.SetMaxStack(math.MaxInt32)
		return errStack
	case u.heap > start.heap+mostHeap:
		return errHeap
	}
	return nil
}

// memoryTicks ticks when it is time to look at the memory: never in a program that grades,
// which is run once more without the function that ends it, and has limits of its own.
func memoryTicks() (ticks <-chan time.Time, stop func()) {
	if grading.On() {
		return nil, func() {}
	}
	t := time.NewTicker(interval)
	return t.C, t.Stop
}

// endIf ends the program that a case has outgrown, when the score has been shown.
func endIf(outgrown bool) {
	if outgrown {
		os.Exit(1)
	}
}
