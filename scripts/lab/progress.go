package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// A progress reports what the go command does and how many packages it has compiled: in a
// terminal in a line that is rewritten, elsewhere in a line for each quarter.
type progress struct {
	w        io.Writer
	terminal bool
	seen     map[string]bool // packages that were compiled, or are being
	wanted   int             // how many will be in the end, 0 while that is not known
	quarters int             // that were reported
}

// newProgress reports to a file, which should be standard error, because standard output
// belongs to the tool.
func newProgress(f *os.File) *progress {
	info, err := f.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
	return &progress{w: f, terminal: terminal, seen: map[string]bool{}}
}

// begin reports what is being done and about how long it takes.
func (p *progress) begin(seconds, processors int, anew bool) {
	seconds = seconds/10*10 + 10
	if anew {
		fmt.Fprintf(p.w, "lab: compiling this tool, which takes about %d seconds with %d processors; Go keeps the result\n", seconds, processors)
	} else {
		fmt.Fprintf(p.w, "lab: updating this tool, which takes a few seconds, or about %d after an update of Go\n", seconds)
	}
}

// line takes a line of go build -v: the name of a package that is being compiled, or
// what a reader should know, such as what is downloaded and what is wrong.
func (p *progress) line(text string) {
	if text == "" || strings.ContainsAny(text, " \t") {
		p.clear()
		fmt.Fprintln(p.w, text)
		return
	}
	p.seen[text] = true
	p.draw()
}

// of takes the packages that were still to be compiled some time after the beginning.
func (p *progress) of(stale []string) {
	p.wanted = len(p.seen)
	for _, name := range stale {
		if !p.seen[name] {
			p.wanted++
		}
	}
	p.draw()
}

func (p *progress) draw() {
	const few = 20 // packages; fewer are reported only in a terminal
	done := len(p.seen)
	switch {
	case p.wanted == 0 || done > p.wanted:
	case p.terminal:
		fmt.Fprintf(p.w, "\r\x1b[Klab: %d of %d packages", done, p.wanted)
	case p.wanted >= few && 4*done/p.wanted > p.quarters:
		p.quarters = 4 * done / p.wanted
		fmt.Fprintf(p.w, "lab: %d of %d packages\n", done, p.wanted)
	}
}

func (p *progress) clear() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
