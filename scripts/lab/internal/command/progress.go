package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A progress shows how far a notebook is: one line rewritten in a terminal,
// the first cell and every tenth elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	label    string
}

func (e *env) progress(i, n int, name string) *progress {
	return &progress{w: e.out, terminal: isTerminal(e.out), label: fmt.Sprintf("[%d/%d] %s", i+1, n, name)}
}

func (p *progress) cell(n, total int) {
	switch {
	case p.terminal:
		fmt.Fprintf(p.w, "\r\x1b[K%s  cell %d/%d", p.label, n, total)
	case n == 1 || n%10 == 0:
		fmt.Fprintf(p.w, "%s  cell %d/%d\n", p.label, n, total)
	}
}

// clear removes the line before a result is printed.
func (p *progress) clear() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// A bar shows how much of a long work is done, in a terminal only.
type bar struct {
	w        io.Writer
	terminal bool
	what     string
	begin    time.Time
	first    int
	shown    time.Time
}

func newBar(w io.Writer, what string) *bar {
	return &bar{w: w, terminal: isTerminal(w), what: what, begin: time.Now(), first: -1}
}

// show draws the bar, at most ten times a second, with the time that the rest will
// take at the pace so far. What was done before the first call does not count for
// the pace.
func (b *bar) show(done, total int) {
	if !b.terminal {
		return
	}
	if b.first < 0 {
		b.first, b.begin = done, time.Now()
	}
	if time.Since(b.shown) < 100*time.Millisecond && done < total {
		return
	}
	b.shown = time.Now()
	fmt.Fprintf(b.w, "\r\x1b[K%s", b.line(done, total, time.Since(b.begin)))
}

func (b *bar) line(done, total int, taken time.Duration) string {
	const width = 30
	full := width * done / max(total, 1)
	line := fmt.Sprintf("[%s%s] %d/%d %s", strings.Repeat("#", full), strings.Repeat(".", width-full), done, total, b.what)
	if now := done - b.first; now > 0 && done < total {
		rest := taken / time.Duration(now) * time.Duration(total-done)
		line += fmt.Sprintf(", %s left", rest.Round(time.Second))
	}
	return line
}

func (b *bar) clear() {
	if b.terminal {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
