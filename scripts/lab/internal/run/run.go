package run

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

//go:embed runner.py
var runner []byte

// Options are the settings of [Notebook].
type Options struct {
	// Timeout is the longest a cell may take, 5 minutes if 0: of the clock and of
	// processor time, where that can be told, so that a busy machine decides nothing.
	Timeout time.Duration
	// Progress is called when the code cell number n (from 1) of total starts.
	Progress func(n, total int)
	// Env is added to the kernel's environment.
	Env []string
	// Sandbox holds the kernel and all that it starts, if it is not nil. Progress is then
	// not called, and Env not used.
	Sandbox sandbox.Runner
}

// StartTimeout is the longest a kernel may take to start: a second, and minutes where a
// machine is slow or busy. One that ends instead is noticed at once.
const StartTimeout = 10 * time.Minute

// What one cell may print, and what its figures and tables may have, in
// characters. The largest figures of the course have a fortieth of that.
const (
	MaxText = 1 << 20
	MaxData = 16 << 20
)

// A CellError says which cell of a notebook failed, and how.
type CellError struct {
	Index int    // from 0, of all cells; -1: before the first
	ID    string // of the cell
	Kind  string // "error", "timeout", "output", "late", "died", "left", "start", "exit", "input" or "internal"
	Text  string // what the kernel said
	Limit time.Duration
	// Partial is the notebook as far as it got, or nil.
	Partial *notebook.Notebook
}

func (e *CellError) Error() string {
	place := fmt.Sprintf("cell %d (id %s)", e.Index+1, e.ID)
	switch e.Kind {
	case "timeout":
		return fmt.Sprintf("%s took longer than %v and was stopped; make it cheaper or allow more with --timeout", place, e.Limit)
	case "output":
		if e.Text == "text" {
			return fmt.Sprintf("%s printed more than %d MB of text and was stopped; print less, or write it to a file", place, MaxText>>20)
		}
		return fmt.Sprintf("%s showed figures or tables of more than %d MB and was stopped; show fewer or smaller ones", place, MaxData>>20)
	case "late":
		return fmt.Sprintf("%s: its output was still arriving %v after its end, and some would be missing; print less, or allow more time with --timeout", place, e.Limit)
	case "exit", "input":
		return place + ": " + cmp.Or(e.Text, "its program waits for input, and nobody can give any; put the value into a variable")
	case "left":
		return place + ": its program ended before its last statement, without an error; something in it ends or replaces the process"
	case "died":
		return fmt.Sprintf("%s: the kernel died (out of memory, or killed)%s", place, detail(e.Text))
	case "start":
		return "the kernel did not start" + detail(e.Text)
	}
	return place + " failed" + detail(e.Text)
}

func detail(s string) string {
	s = strings.TrimSpace(notebook.StripANSI(s))
	if s == "" {
		return ""
	}
	return ":\n    " + strings.ReplaceAll(s, "\n", "\n    ")
}

type event struct {
	Event string `json:"event"`
	PID   int    `json:"pid"`
	Cell  int    `json:"cell"`
	Kind  string `json:"kind"`
	Text  string `json:"text"`
}

// Notebook executes a notebook, of which file are the bytes that were read at
// path, in its folder, and returns it with its new outputs.
func Notebook(ctx context.Context, tools *setup.Tools, path string, file []byte, o Options) (*notebook.Notebook, error) {
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Minute
	}
	nb, err := notebook.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, c := range nb.Cells {
		if trap := c.Trap(); trap != nil {
			return nil, &CellError{Index: i, ID: c.ID, Kind: trap.Kind, Text: trap.String()}
		}
		// What a run must not inherit.
		c.Outputs, c.ExecutionCount = nil, nil
	}
	nb.Canonicalise()
	if o.Sandbox != nil {
		return contained(ctx, tools, path, nb, o)
	}
	folder, err := scratch.New("run")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	dir := folder.Path
	in, out, script := filepath.Join(dir, "in.ipynb"), filepath.Join(dir, "out.ipynb"), filepath.Join(dir, "runner.py")
	b, err := nb.Encode()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(in, b, 0o600), os.WriteFile(script, runner, 0o600)); err != nil {
		return nil, err
	}
	mark := "MLLABS_RUN=" + dir
	env := append(tools.Env(setup.DirRuns), "TMPDIR="+dir, mark)
	r := runnerProcess{
		argv: []string{tools.Python, script, in, out, filepath.Dir(path),
			strconv.Itoa(max(1, int(o.Timeout.Seconds()))), strconv.Itoa(int(StartTimeout.Seconds())), strconv.Itoa(MaxText), strconv.Itoa(MaxData)},
		env:  append(env, o.Env...),
		mark: mark,
	}
	cells := map[int]int{} // index of a code cell to its number
	for i, c := range nb.Cells {
		if c.Type == "code" {
			cells[i] = len(cells) + 1
		}
	}
	var end outcome
	err = r.run(ctx, func(e event) {
		if e.Event == "cell" && o.Progress != nil {
			o.Progress(cells[e.Cell], len(cells))
		}
		end.take(e)
	})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted: %w", ctx.Err())
	}
	if end.failed == nil && !end.done {
		return nil, fmt.Errorf("the notebook runner broke off: %w", err)
	}
	res, err := notebook.Read(out)
	if err == nil {
		res.Canonicalise()
		res.ReplacePaths(tools.Project.Root, dir)
	}
	return end.of(nb, res, err, o)
}

// An outcome is what the runner has said of its end.
type outcome struct {
	failed *event
	done   bool
	cell   int // the last that was begun
}

func (end *outcome) take(e event) {
	switch e.Event {
	case "cell":
		end.cell = e.Cell
	case "failed":
		end.failed = &e
	case "done":
		end.done = true
	}
}

// of is what a run of a notebook returns: res, which came of it, or an error.
func (end *outcome) of(nb, res *notebook.Notebook, err error, o Options) (*notebook.Notebook, error) {
	failed := end.failed
	if failed == nil {
		return res, err
	}
	e := &CellError{Index: failed.Cell, Kind: failed.Kind, Text: failed.Text, Limit: o.Timeout, Partial: res}
	if failed.Cell >= 0 && failed.Cell < len(nb.Cells) {
		e.ID = nb.Cells[failed.Cell].ID
		e.Text = cellTrouble(res, failed)
	}
	return nil, e
}

// cellTrouble is what the failed cell itself wrote, which says more than the
// name of the error.
func cellTrouble(nb *notebook.Notebook, e *event) string {
	if nb == nil || e.Cell >= len(nb.Cells) || e.Kind != "error" {
		return e.Text
	}
	var parts []string
	for _, o := range nb.Cells[e.Cell].Outputs {
		switch {
		case o.Type == "stream" && o.Name == "stderr":
			parts = append(parts, strings.TrimSpace(o.Text))
		case o.Type == "error":
			parts = append(parts, strings.TrimSpace(strings.Join(o.Trace, "\n")))
		}
	}
	text := strings.Join(parts, "\n")
	if strings.TrimSpace(text) == "" {
		return e.Text
	}
	lines := strings.Split(text, "\n")
	if len(lines) > 30 {
		lines = append(lines[:30], "…")
	}
	return strings.Join(lines, "\n")
}

// A runnerProcess is the runner at work.
type runnerProcess struct {
	argv []string
	env  []string
	mark string // in env, and so in the environment of whatever is started
}

// run starts the runner, hands its events on, and leaves nothing behind: when it
// returns, the runner, the kernel and the cell's program are dead.
func (p runnerProcess) run(ctx context.Context, handle func(event)) error {
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	cmd.Env = p.env
	process.OwnGroup(cmd)
	stdin, err := cmd.StdinPipe() // its end tells the runner that we are gone
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &tail{b: &stderr}
	cmd.WaitDelay = 2 * time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	kernel := 0
	events := make(chan event)
	go func() {
		defer close(events)
		s := bufio.NewScanner(stdout)
		s.Buffer(nil, 16<<20)
		for s.Scan() {
			var e event
			if json.Unmarshal(s.Bytes(), &e) == nil && e.Event != "" {
				events <- e
			}
		}
		io.Copy(io.Discard, stdout)
	}()
	interrupted := ctx.Done()
	for open := true; open; {
		select {
		case e, ok := <-events:
			if !ok {
				open = false
				break
			}
			if e.Event == "kernel" && e.PID > 1 {
				kernel = e.PID
			}
			handle(e)
		case <-interrupted:
			interrupted = nil
			stdin.Close()
			p.kill(kernel, cmd.Process.Pid)
		}
	}
	err = cmd.Wait()
	stdin.Close()
	p.kill(kernel, cmd.Process.Pid)
	if err != nil {
		return fmt.Errorf("%w%s", err, detail(stderr.String()))
	}
	return nil
}

// kill ends two groups, and what has left them.
func (p runnerProcess) kill(kernel, runner int) {
	process.KillGroup(kernel)
	process.KillGroup(runner)
	process.KillMarked(p.mark)
}

// A tail keeps the last part of what is written to it.
type tail struct{ b *bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	const keep = 4096
	t.b.Write(p)
	if n := t.b.Len(); n > 2*keep {
		t.b.Next(n - keep)
	}
	return len(p), nil
}
