package nbkit

import (
	"fmt"
	"slices"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

// In a page nothing interrupts a function: not one that calls itself without an end, for the
// browser's stack is full long before there is time to look at it, nor a loop that never ends.
// Only the page can end the program, and then it is too late to show a case. So the page gets
// before each case what it is to show if the program ends in it.

var (
	errEnded      = fmt.Errorf("%w: here the program ended, and the reason stands below", errNoAnswer)
	errNotReached = fmt.Errorf("%w, since the program had ended", errNotTried)
)

// endedIn is the score of a check whose program ends in the case after those that were tried.
func endedIn(title string, cases []Case, so []tried) judge.Score {
	all := append(slices.Clone(so), tried{err: errEnded})
	for len(all) < len(cases) {
		all = append(all, tried{err: errNotReached})
	}
	return scoreOf(title, cases, all)
}

// beforeEach is called before each case of a check: nil where no page runs the program.
func beforeEach(title string, cases []Case) func(so []tried, limit time.Duration) {
	if !kernel.InPage {
		return nil
	}
	return func(so []tried, limit time.Duration) {
		kernel.Unfinished(shown(endedIn(title, cases, so)).message(), limit)
	}
}
