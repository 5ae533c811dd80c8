//go:build !js

package cell

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// runLimits are what the body of a cell gets beside its processor time.
var runLimits = sandbox.Limits{Wall: 5 * time.Minute, Memory: 1 << 30, Disk: 64 << 20, Output: 1 << 20, Report: 1 << 20, Processes: 128}

// A Score is how a check ended, as package nbkit tells.
type Score struct {
	Title  string      `json:"title"`
	Passed int         `json:"passed"`
	Of     int         `json:"of"`
	Cases  []CaseScore `json:"cases"`
	// Expects stands for what each case expected, after it was tried.
	Expects []string `json:"expects"`
}

// A CaseScore is how one case of a check ended.
type CaseScore struct {
	Name      string `json:"name"`
	Passed    bool   `json:"passed"`
	Unwritten bool   `json:"unwritten"`
	NoAnswer  bool   `json:"no_answer"`
	Message   string `json:"message"`
	Hint      string `json:"hint"`
}

// Unwritten counts the cases that came to a stub.
func (s Score) Unwritten() int {
	n := 0
	for _, c := range s.Cases {
		if c.Unwritten {
			n++
		}
	}
	return n
}

// Failed is what the failed cases say.
func (s Score) Failed() []string {
	var all []string
	for _, c := range s.Cases {
		if !c.Passed {
			all = append(all, c.Name+": "+c.Message)
		}
	}
	return all
}

// An Outcome is how a run of a cell's body ended.
type Outcome struct {
	// Begun says that the program came as far as its main function, and Ended that the
	// body has ended: only then the scores count.
	Begun, Ended bool
	Scores       []Score
	Needs        string // what says that the body needs an exercise which is not done
	Printed      string
	Result       sandbox.Result
}

// CheckTime is the processor time that a check of so many cases needs at most. Each case
// has a limit of its own, so that one that hangs leaves time for the others.
func CheckTime(cases int) time.Duration { return 15*time.Second + time.Duration(cases)*time.Second }

// Run runs the body of a cell, numbered from 0; of none, if no cell has the number. limit
// is the processor time that it may take.
func (b *Binary) Run(ctx context.Context, runner sandbox.Runner, cell int, limit time.Duration) (*Outcome, error) {
	word := rand.Text()
	limits := runLimits
	limits.CPU = limit
	r, err := runner.Run(ctx, sandbox.Job{Path: b.path, Args: []string{strconv.Itoa(cell), word}, Env: b.chain.environment(), ReadOnly: b.chain.data(), Limits: limits})
	if err != nil {
		return nil, err
	}
	o := reported(r.Report, word)
	o.Result, o.Printed = r, inCells(strings.TrimSpace(strings.ToValidUTF8(string(r.Output), "�")))
	return o, nil
}

// reported reads a report. It is void if anything in it lacks the word, or if there is
// more of it than a run has to say.
func reported(report []byte, word string) *Outcome {
	o := &Outcome{}
	for line := range bytes.Lines(report) {
		var r struct {
			Word         string
			Begun, Ended bool
			Needs        string
			Score        []Score
		}
		if json.Unmarshal(line, &r) != nil || r.Word != word || o.Ended || r.Begun == o.Begun || r.Ended == r.Begun {
			return &Outcome{Begun: o.Begun}
		}
		if r.Begun {
			o.Begun = true
		} else {
			o.Ended, o.Needs, o.Scores = true, r.Needs, r.Score
		}
	}
	return o
}

// environment is what programs see of this machine's.
func (t *Toolchain) environment() []string {
	env := []string{"MLLABS_ROOT=" + t.root, "MLLABS_FIGURES=figures", "HOME=" + os.TempDir(), "TZ=UTC"}
	for _, name := range []string{"MLLABS_DATASETS", "SYSTEMROOT"} {
		if v := os.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// data are the files that programs may read: those of the data sets, and what tells where
// the checkout is.
func (t *Toolchain) data() []string {
	all := []string{filepath.Join(t.root, "go.mod"), filepath.Join(t.root, "datasets", "files"), filepath.Join(filepath.Dir(t.root), "shared", "datasets")}
	if dir := os.Getenv("MLLABS_DATASETS"); filepath.IsAbs(dir) {
		all = append(all, dir)
	}
	var there []string
	for _, path := range all {
		if _, err := os.Stat(path); err == nil {
			there = append(there, path)
		}
	}
	return there
}
