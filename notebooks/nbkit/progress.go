package nbkit

import (
	"fmt"
	"html"
	"iter"
	stdsync "sync"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
)

// Progress counts from 0 to n-1 and shows a bar meanwhile:
//
//	for round := range nbkit.Progress("boosting rounds", 100) { … }
//
// The bar ends as a line that is the same on every run, "✓ boosting rounds: 100
// of 100", or says where the loop was left early.
func Progress(label string, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		b := NewBar(label, n)
		defer b.Close()
		for i := range n {
			if !yield(i) {
				return
			}
			b.Add(1)
		}
	}
}

// A Bar is a progress bar for work that is not a simple loop; it may be used by
// several goroutines. Outside a kernel it shows nothing.
type Bar struct {
	mu     stdsync.Mutex
	label  string
	id     string
	done   int
	total  int
	shown  time.Time
	closed bool
}

// redraw is the shortest time between two pictures of a bar.
const redraw = 100 * time.Millisecond

// NewBar starts a bar at 0 of total.
func NewBar(label string, total int) *Bar {
	b := &Bar{label: label, total: total, id: "nbkit-bar-" + kernel.UniqueID()}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draw()
	return b
}

// Add tells that n more parts are done. It does nothing after Close.
func (b *Bar) Add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.done += n
	if time.Since(b.shown) >= redraw {
		b.draw()
	}
}

// Close leaves the bar's last line and waits until it is shown.
func (b *Bar) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	b.draw()
	if kernel.Here {
		flush()
	}
}

func (b *Bar) draw() {
	b.shown = time.Now()
	send(b.output())
}

func (b *Bar) output() output {
	mark := "…"
	switch {
	case b.closed && b.done >= b.total:
		mark = "✓"
	case b.closed:
		mark = "✗ stopped:"
	}
	text := fmt.Sprintf("%s %s: %d of %d", mark, b.label, b.done, b.total)
	page := "<div>" + html.EscapeString(text)
	if !b.closed && b.total > 0 {
		percent := min(100, 100*b.done/b.total)
		page += fmt.Sprintf(` <progress value="%d" max="100" style="vertical-align:middle"></progress>`, percent)
	}
	return output{kind: kindProgress, id: b.id, text: text, html: page + "</div>"}
}
