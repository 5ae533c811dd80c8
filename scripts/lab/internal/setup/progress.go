package setup

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progressPause is how long a command may say nothing to the reader; tests change it.
var progressPause = 10 * time.Second

// A progress keeps the output of a command, and reports its last line from time to time.
type progress struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// report begins to write lines to w, unless it is nil, until end is called.
func (p *progress) report(w io.Writer) (end func()) {
	if w == nil {
		return func() {}
	}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		begun := time.Now()
		for {
			select {
			case <-ended:
				return
			case <-time.After(progressPause):
				fmt.Fprintf(w, "set-up: %d s%s\n", int(time.Since(begun).Seconds()), p.last())
			}
		}
	}()
	return func() { close(ended); <-done }
}

// last returns what the command is at, after a comma: the last line of its output, cut where it is long.
func (p *progress) last() string {
	const long = 60
	line := strings.TrimSpace(lastLines(p.text(), 1))
	if runes := []rune(line); len(runes) > long {
		line = string(runes[:long]) + "…"
	}
	if line == "" {
		return ""
	}
	return ", " + line
}
