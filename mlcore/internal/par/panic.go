package par

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrPanic is wrapped by every error that was made of a panic.
var ErrPanic = errors.New("panic")

// A panicked is a panic that became an error.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("%v: %v\n\n%s", ErrPanic, p.value, p.stack) }

// Unwrap returns [ErrPanic], and what was panicked with where that was an error.
func (p *panicked) Unwrap() []error {
	if err, ok := p.value.(error); ok {
		return []error{ErrPanic, err}
	}
	return []error{ErrPanic}
}

var errGoexit = errors.New("runtime.Goexit was called, as testing.T.FailNow does")

// asError makes an error of what recover returned, nil meaning that the goroutine is
// being ended without a panic. A panic that passes a second goroutine keeps its stack.
func asError(recovered any) error {
	switch v := recovered.(type) {
	case nil:
		recovered = errGoexit
	case *panicked:
		return v
	}
	return &panicked{recovered, debug.Stack()}
}

// Recover, deferred, makes an error that wraps [ErrPanic] of a panic, so that a fault
// in a function of the caller's, or of ours, does not end a program that serves others.
func Recover(err *error) {
	if v := recover(); v != nil {
		*err = asError(v)
	}
}

// Sure panics if err is not nil: for work that returns no error, so that err can only
// be a panic of a worker, which goes on in the goroutine that asked for the work.
func Sure(err error) {
	if err != nil {
		panic(asError(err))
	}
}
