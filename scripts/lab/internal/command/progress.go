package command

import (
	"fmt"
	"io"
	"os"
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
