// Package attempt calls functions that students have written, for a program that goes on
// whatever they do.
package attempt

import (
	"errors"
	"fmt"
	"html"
	"sync/atomic"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/mllabs-go/mllabs/notebooks/nbkit"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

// ErrNoAnswer is the failure of a function that does not return.
var ErrNoAnswer = errors.New("no answer")

// full is set where a function takes more and more memory, which ends with the program only.
var full atomic.Bool

// Call calls f and returns an error unless f returns within the limit. The error is
// [nbkit.ErrNotImplemented] where f panics with that, wraps [ErrNoAnswer] where f does not
// return, and else says what f panics with and in which line. A function that does not
// return goes on in the background. After one that takes more and more memory Call calls
// nothing more, so that the program comes to its end.
//
// In a page a loop without an end can only be ended with the program, and then the page
// shows the name.
func Call(name string, limit time.Duration, f func()) error {
	if full.Load() {
		return fmt.Errorf("%w: not called, because the program has to end first", ErrNoAnswer)
	}
	if kernel.InPage {
		ended := name + " has not returned. The program had to be ended."
		kernel.Unfinished(&protocol.DisplayData{
			Data:     map[protocol.MIMEType]any{protocol.MIMETextHTML: html.EscapeString(ended), protocol.MIMETextPlain: ended},
			Metadata: map[string]any{},
		}, limit/3) // a page waits four times as long as it is told
		defer kernel.Unfinished(nil, 0)
	}
	call := func() any { f(); return nil }
	nothing := func() any { return nil }
	// The second case is not tried where the program has to end.
	var answers []judge.Answer
	nbkit.Try(func(a judge.Answer, _ judge.Case) { answers = append(answers, a) },
		nbkit.Case{Name: name, Got: call, Limit: limit}, nbkit.Case{Name: "next", Got: nothing})
	switch a := answers[0]; {
	case a.Unwritten:
		return nbkit.ErrNotImplemented
	case a.NoAnswer:
		full.Store(answers[1].NotTried)
		return noAnswer(a.Failed)
	case a.Failed != "":
		return errors.New(a.Failed)
	}
	return nil
}

// noAnswer is an ErrNoAnswer in the words of nbkit.
type noAnswer string

func (e noAnswer) Error() string { return string(e) }
func (noAnswer) Unwrap() error   { return ErrNoAnswer }
