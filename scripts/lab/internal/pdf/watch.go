package pdf

import (
	"context"
	"fmt"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// A limit says when a browser that has not come to an end never will. On a slow or
// busy machine a page takes longer, but not more work.
type limit struct {
	// work is the processor time that a page may take. Where a system does not tell it,
	// time passes instead.
	work time.Duration
	// A browser that uses less than a hundredth of one processor during patience waits
	// for something that does not come; idling takes half of that.
	patience time.Duration
	every    time.Duration // how often that is looked at
}

// limitOf is the limit for a page of so many bytes. The longest page of the course
// takes four seconds.
func limitOf(size int) limit {
	return limit{work: 20*time.Minute + time.Duration(size>>20)*time.Minute, patience: 10 * time.Minute, every: time.Second}
}

// A stuckError says that a program was ended because it would not end.
type stuckError struct{ why string }

func (e *stuckError) Error() string { return e.why }

// A watch looks at a browser from time to time.
type watch struct {
	limit
	start  time.Time
	used   time.Duration // so far
	since  time.Time     // the beginning of the present time of patience
	before time.Duration // used until then
}

// look judges what the browser has used until now, if that is known.
func (w *watch) look(now time.Time, used time.Duration, known bool) error {
	if !known {
		if now.Sub(w.start) > w.work {
			return &stuckError{fmt.Sprintf("the browser took longer than %v", w.work)}
		}
		return nil
	}
	w.used = max(w.used, used) // what a process used may go with it
	if w.used > w.work {
		return &stuckError{fmt.Sprintf("the browser worked for longer than %v", w.work)}
	}
	if now.Sub(w.since) >= w.patience {
		if w.used-w.before < w.patience/100 {
			return &stuckError{fmt.Sprintf("the browser hangs: it has done nothing for %v", w.patience)}
		}
		w.since, w.before = now, w.used
	}
	return nil
}

// over returns an error once the group that a process leads is beyond the limit, and
// nil once ctx ends.
func (l limit) over(ctx context.Context, group int) error {
	now := time.Now()
	w := watch{limit: l, start: now, since: now}
	tick := time.NewTicker(l.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			used, known := process.Used(group)
			if err := w.look(now, used, known); err != nil {
				return err
			}
		}
	}
}
