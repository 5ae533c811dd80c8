package datasets

import (
	"fmt"
	"runtime/debug"

	"github.com/mllabs-go/mllabs/mlcore"
)

// later runs f on a goroutine of its own and returns a function that waits for it and
// returns its error. A panic of f, which would end the program on that goroutine, is an
// error that wraps [mlcore.ErrPanic], and what was panicked with where that was an error.
func later(f func() error) (wait func() error) {
	done := make(chan struct{})
	var err error
	go func() {
		defer close(done)
		defer func() {
			switch v := recover().(type) {
			case nil:
			case error:
				err = fmt.Errorf("%w: %w\n\n%s", mlcore.ErrPanic, v, debug.Stack())
			default:
				err = fmt.Errorf("%w: %v\n\n%s", mlcore.ErrPanic, v, debug.Stack())
			}
		}()
		err = f()
	}()
	return func() error {
		<-done
		return err
	}
}

// all waits for everything that [later] began and returns the first error in their order.
func all(waits []func() error) error {
	var first error
	for _, wait := range waits {
		if err := wait(); first == nil {
			first = err
		}
	}
	return first
}
