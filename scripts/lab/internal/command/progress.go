package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// A progress shows how far the notebooks are that run: one line rewritten in a
// terminal, the first cell and every tenth of each elsewhere.
type progress struct {
	mu        sync.Mutex
	w         io.Writer
	terminal  bool
	notebooks []project.Notebook
	cells     []string // of the notebooks that run, "3/40" for the third cell of 40; "" for others
}

func (e *env) progress(nbs []project.Notebook) *progress {
	return &progress{w: e.out, terminal: isTerminal(e.out), notebooks: nbs, cells: make([]string, len(nbs))}
}

// cell shows that notebook i begins cell n of its total.
func (p *progress) cell(i, n, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cells[i] = fmt.Sprintf("%d/%d", n, total)
	switch {
	case p.terminal:
		p.draw()
	case n == 1 || n%10 == 0:
		fmt.Fprintf(p.w, "[%d/%d] %s  cell %s\n", i+1, len(p.notebooks), p.notebooks[i].Name(), p.cells[i])
	}
}

// end takes notebook i out of the line.
func (p *progress) end(i int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cells[i] = ""
	p.draw()
}

// aside calls say, which prints lines, with the line of progress out of the way.
func (p *progress) aside(say func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal {
		fmt.Fprint(p.w, clearLine)
	}
	say()
	p.draw()
}

const clearLine = "\r\x1b[K"

func (p *progress) draw() {
	if p.terminal {
		fmt.Fprint(p.w, clearLine+p.line())
	}
}

// line names the notebooks that run, by number alone where there are several, and
// is cut to what fits into one line of most terminals: only that can be cleared.
func (p *progress) line() string {
	var running []int
	for i, c := range p.cells {
		if c != "" {
			running = append(running, i)
		}
	}
	var parts []string
	for _, i := range running {
		name := p.notebooks[i].Name()
		if len(running) > 1 {
			name, _, _ = strings.Cut(name, "_")
		}
		parts = append(parts, fmt.Sprintf("[%d/%d] %s cell %s", i+1, len(p.notebooks), name, p.cells[i]))
	}
	const width = 79
	line := strings.Join(parts, "  ")
	if len(line) > width {
		line = line[:width-3] + "..."
	}
	return line
}

func isTerminal(w io.Writer) bool {
	f, ok := plain(w).(*os.File)
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
	fmt.Fprint(b.w, clearLine+b.line(done, total, time.Since(b.begin)))
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
		fmt.Fprint(b.w, clearLine)
	}
}
