package nbkit

import (
	"errors"
	"fmt"
	"html"
	"os"
	"sync"
	"sync/atomic"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/grading"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
)

// ErrNotImplemented is the failure of a function that still is a stub.
var ErrNotImplemented = errors.New("not implemented yet")

// checking counts the checks that are under way.
var checking atomic.Int32

// stopOnce lets the first of several goroutines that come to a stub end the cell, while
// the others wait for that.
var stopOnce sync.Once

// NotImplemented is what the stub of an exercise panics with:
//
//	panic(nbkit.NotImplemented("Misclassification"))
//
// In a [Check] that fails the case, "not implemented yet". In any other cell,
// which uses the function for a figure or a table, it shows one sentence that
// names the function, and ends the cell; nobody learns from a trace of Go's
// runtime that an exercise has not been done.
func NotImplemented(name string) error {
	if checking.Load() == 0 && !grading.On() {
		stopOnce.Do(func() { stop(name) })
	}
	return fmt.Errorf("%s: %w", name, ErrNotImplemented)
}

// stop ends a cell that needs an exercise which has not been done. The exit code
// is 0, because nothing went wrong. Replaced in tests.
var stop = func(name string) {
	text := name + " is not implemented yet. Do its exercise, run that cell until it compiles, then run this one again."
	if !kernel.Here {
		fmt.Println(text)
	}
	send(output{kind: kindFailed, text: text,
		html: `<div style="border-left:4px solid #8a5a00;padding:0.4em 0.8em">` + html.EscapeString(text) + `</div>`})
	kernel.End()
	os.Exit(0)
}
