//go:build !js

package cell

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// runLimits are what the body of a cell gets beside its processor time. Students who look for a
// mistake print more than anybody reads, and their answers may be right: much of it may spill.
var runLimits = sandbox.Limits{Wall: 5 * time.Minute, Memory: 1 << 30, Disk: 64 << 20, Output: 1 << 20, Spill: 63 << 20, Report: 12 << 20, Processes: 128}

// A Check is what a check tried in a program: what each call came to, and what was expected
// where the program knows it, which one that is graded does not ([Blind]).
type Check struct {
	Title   string
	Cases   []judge.Case
	Answers []judge.Answer
}

// An Outcome is how a run of a cell's body ended.
type Outcome struct {
	// Begun says that the program came as far as its main function, and Ended that the
	// body has ended: only then the checks count.
	Begun, Ended bool
	Checks       []Check
	Needs        string // what says that the body needs an exercise which is not done
	Printed      string
	Result       sandbox.Result
}

// Scores are how the checks ended, by what the program itself says was expected.
func (o *Outcome) Scores() []judge.Score {
	var all []judge.Score
	for _, c := range o.Checks {
		all = append(all, judge.Compare(c.Title, c.Cases, c.Answers))
	}
	return all
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

// mostValues bounds the values of a report: each takes a hundred times the memory of its two
// braces, and whoever writes over the memory of a program can write reports of these alone. What
// package harness writes has no more.
const mostValues = 1 << 19

// reported reads a report. It is void if anything in it lacks the word, or if there is
// more of it than a run has to say.
func reported(report []byte, word string) *Outcome {
	o := &Outcome{}
	for line := range bytes.Lines(report) {
		var r struct {
			Word         string
			Begun, Ended bool
			Needs        string
			Checks       []Check
		}
		if bytes.Count(line, []byte("{")) > mostValues || json.Unmarshal(line, &r) != nil || r.Word != word || o.Ended || r.Begun == o.Begun || r.Ended == r.Begun {
			return &Outcome{Begun: o.Begun}
		}
		if slices.ContainsFunc(r.Checks, func(c Check) bool { return len(c.Cases) != len(c.Answers) }) {
			return &Outcome{Begun: o.Begun}
		}
		if r.Begun {
			o.Begun = true
		} else {
			o.Ended, o.Needs, o.Checks = true, r.Needs, r.Checks
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
