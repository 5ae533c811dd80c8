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
	// Begun says that the program came as far as its main function, and Ended that the body has
	// ended. Where it has not, the checks are as far as they were tried. Stuck says that it
	// was ended because nothing went on before the first case.
	Begun, Ended, Stuck bool
	Checks              []Check
	Needs               string // what says that the body needs an exercise which is not done
	Printed             string
	Result              sandbox.Result
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
// is the processor time that it may take, given what was sealed in the body ([Sealer.Seal]).
func (b *Binary) Run(ctx context.Context, runner sandbox.Runner, cell int, limit time.Duration, given ...string) (*Outcome, error) {
	word := rand.Text()
	limits := runLimits
	limits.CPU = limit
	env := b.chain.environment()
	if len(given) > 0 { // other users of the machine can read arguments
		text, err := json.Marshal(given)
		if err != nil {
			return nil, err
		}
		env = append(env, "MLLABS_GIVEN="+string(text))
	}
	r, err := runner.Run(ctx, sandbox.Job{Path: b.path, Args: []string{strconv.Itoa(cell), word}, Env: env, ReadOnly: b.chain.data(), Limits: limits})
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

// reported reads a report, as far as it is one: a line counts if it has the word and is what can
// come next.
func reported(report []byte, word string) *Outcome {
	o := &Outcome{}
	if bytes.Count(report, []byte("{")) > mostValues {
		return o
	}
	for line := range bytes.Lines(report) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // the program ended while it wrote
		}
		var r struct {
			Word                string
			Begun, Ended, Stuck bool
			Needs               string
			Tried               *Tried
		}
		if json.Unmarshal(line, &r) != nil || r.Word != word || o.Ended || r.Begun == o.Begun && !r.Stuck {
			return &Outcome{Begun: o.Begun}
		}
		switch t := r.Tried; {
		case r.Begun:
			o.Begun = true
		case r.Stuck:
			o.Stuck = true
		case t == nil:
			o.Ended, o.Needs = true, r.Needs
		case t.Check == len(o.Checks):
			o.Checks = append(o.Checks, Check{Title: t.Title})
			fallthrough
		case t.Check >= 0 && t.Check == len(o.Checks)-1:
			c := &o.Checks[t.Check]
			c.Cases, c.Answers = append(c.Cases, t.Case), append(c.Answers, t.Answer)
		default:
			return &Outcome{Begun: o.Begun}
		}
	}
	return o
}

// A Tried is a case of a check in a report.
type Tried struct {
	Check  int
	Title  string
	Case   judge.Case
	Answer judge.Answer
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
