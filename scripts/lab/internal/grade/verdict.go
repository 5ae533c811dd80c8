package grade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// A verdict is what became of one exercise in one program.
type verdict struct {
	State   State
	Cases   []Case
	Errors  []string
	Why     string // for a state that is not Scored, or where the program ended in a case
	Printed string
	Hangs   bool // something took too long
}

// share is the share of the cases that passed.
func (v *verdict) share() float64 {
	if v.State != Scored || len(v.Cases) == 0 {
		return 0
	}
	return float64(v.passed()) / float64(len(v.Cases))
}

func (v *verdict) passed() int {
	n := 0
	for _, c := range v.Cases {
		if c.Passed {
			n++
		}
	}
	return n
}

// full says whether nothing can be better.
func (v *verdict) full() bool { return v.State == Scored && v.passed() == len(v.Cases) }

// notTried is what the cases behind the one in which a program ended say.
const notTried = "not tried, since the program had ended"

// judge compares what a program answered with what the check expects. What the program says
// in its own words counts for the visible cases only where it had no hidden ones.
//
// Where the program ended in a case, those before it have their answers.
func (q *question) judge(o *cell.Outcome) *verdict {
	v := &verdict{State: Stopped, Printed: head(o.Printed), Hangs: o.Result.Ended == sandbox.OutOfTime || o.Stuck}
	var answers []judge.Answer
	if len(o.Checks) == 1 {
		answers = o.Checks[0].Answers
	}
	switch {
	case o.Ended && o.Needs != "":
		v.State = Scored
		needs := o.Needs
		if name, ok := strings.CutSuffix(needs, ": not implemented yet"); !ok || !slices.Contains(q.others, name) {
			needs = "an exercise that the check needs is not implemented yet"
		}
		for _, c := range q.cases {
			c.Unwritten, c.Message = true, needs
			v.Cases = append(v.Cases, c)
		}
		return v
	case len(answers) > len(q.expected), o.Ended && len(answers) < len(q.expected):
		v.Why = "The program came to its end without an answer to each case of the check."
		return v
	case len(answers) < len(q.expected):
		if v.Why = stopped(o); len(answers) == 0 {
			return v
		}
		answers = append(answers, judge.Answer{Failed: v.Why, NoAnswer: true})
		for len(answers) < len(q.expected) {
			answers = append(answers, judge.Answer{Failed: notTried, NotTried: true})
		}
	}
	v.State = Scored
	for i, c := range judge.Compare("", q.expected, answers).Cases {
		v.Cases = append(v.Cases, Case{Name: c.Name, Hidden: q.cases[i].Hidden, Passed: c.Passed, Unwritten: c.Unwritten, Message: c.Message, Hint: c.Hint})
		v.Hangs = v.Hangs || c.NoAnswer
	}
	return v
}

// plain is what a case says in no words of its own.
var plain = regexp.MustCompile(`^(not implemented yet|no answer after 10?s: does a loop never end\?|` + notTried + `)$`)

// unsaid are the visible cases, by their place among all, that failed in words which may be of
// hidden ones: the program that said them knew what hidden cases call.
func (q *question) unsaid(v *verdict) (places []int) {
	if v.State != Scored {
		return nil
	}
	for _, i := range q.seen {
		if c := v.Cases[i]; !c.Passed && c.Message != v.Why && !plain.MatchString(c.Message) {
			places = append(places, i)
		}
	}
	return places
}

// silenced is what visible cases say that fail beside hidden ones only.
const silenced = "it fails when the cases that your copy does not show are tried as well: does something stay behind from one call to the next?"

// silence takes back what the visible cases say, and puts in its place what they say in a run
// without hidden ones, as far as that came.
func (q *question) silence(v *verdict, o *cell.Outcome) {
	said := map[int]string{}
	if len(o.Checks) == 1 && len(o.Checks[0].Answers) <= len(q.seen) {
		var cases []judge.Case
		for _, i := range q.seen {
			cases = append(cases, q.expected[i])
		}
		for n, c := range judge.Compare("", cases, o.Checks[0].Answers).Cases {
			said[q.seen[n]] = c.Message
		}
	}
	for _, i := range q.unsaid(v) {
		if v.Cases[i].Message = said[i]; said[i] == "" {
			v.Cases[i].Message = silenced
		}
	}
}

// stopped says in one sentence why a program ended before its check had.
func stopped(o *cell.Outcome) string {
	switch r := o.Result; {
	case r.Ended == sandbox.OutOfTime, o.Stuck:
		return "The program was stopped because it took too long: does a loop never end?"
	case r.Ended == sandbox.OutOfMemory || strings.Contains(o.Printed, "fatal error: runtime: out of memory") || strings.Contains(o.Printed, "cannot allocate memory"):
		return "The program was stopped because it used too much memory: does a function call itself, or a loop append, without an end?"
	case r.Ended == sandbox.TooMuchOutput:
		return "The program was stopped because it printed too much."
	case r.Ended == sandbox.Killed:
		return fmt.Sprintf("The program was ended by a signal (%s).", r.Signal)
	case strings.Contains(o.Printed, "fatal error: stack overflow") || strings.Contains(o.Printed, "stack exceeds"):
		return "The program ended because a function calls itself without end."
	}
	for line := range strings.Lines(o.Printed) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			// What it panicked with is not told: it may hold what hidden cases called it with.
			kind, _, _ := strings.Cut(line, ": ")
			return fmt.Sprintf("The program ended outside the cases of the check, by a %s.", kind)
		}
	}
	return "The program ended by itself before the check had come to its end."
}

// printedMost is how much is kept of what a program printed.
const printedMost = 2000

// head is the beginning of a text.
func head(text string) string {
	if len(text) > printedMost {
		return strings.ToValidUTF8(text[:printedMost], "") + "…"
	}
	return text
}

// build builds a program, hands it on and clears it away.
func (g *Grader) build(ctx context.Context, p *cell.Program, use func(*cell.Binary) error) error {
	folder, err := scratch.New("grade")
	if err != nil {
		return err
	}
	defer folder.Remove()
	dir := filepath.Join(folder.Path, "program")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	g.built.Add(1)
	b, err := g.chain.Build(ctx, g.runner, p, dir)
	var wrong *cell.Errors
	if errors.As(err, &wrong) && len(wrong.Cells) == 0 && !wrong.Stopped {
		// No cell is to blame, so that it may be this machine: a full disk, say, or a build
		// cache that was cleared. No mark may come of that.
		return g.buildAgain(ctx, p, wrong, use)
	}
	if err != nil {
		return err
	}
	return use(b)
}

// buildAgain builds a program for which the compiler or the linker blamed no cell. If what
// the worked answers make cannot be built either, it is no verdict but an error.
func (g *Grader) buildAgain(ctx context.Context, p *cell.Program, wrong *cell.Errors, use func(*cell.Binary) error) error {
	for _, program := range []*cell.Program{g.control, p} {
		if program == nil {
			continue
		}
		folder, err := scratch.New("grade")
		if err != nil {
			return err
		}
		defer folder.Remove()
		dir := filepath.Join(folder.Path, "program")
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		b, err := g.chain.Build(ctx, g.runner, program, dir)
		switch {
		case err != nil && program == g.control:
			return fmt.Errorf("programs cannot be built any more: %s", wrong.Rest)
		case err != nil:
			return err
		case program == p:
			return use(b)
		}
	}
	return wrong
}

// get is a known verdict.
func (g *Grader) get(key string) *verdict {
	g.memory.mu.Lock()
	defer g.memory.mu.Unlock()
	if v := g.memory.known[key]; v != nil || g.Kept == nil {
		return v
	}
	b, ok := g.Kept.Get(key)
	var v verdict
	if !ok || json.Unmarshal(b, &v) != nil {
		return nil
	}
	g.memory.known[key] = &v
	return &v
}

func (g *Grader) put(key string, v *verdict) {
	g.memory.mu.Lock()
	defer g.memory.mu.Unlock()
	if g.memory.known[key] != nil {
		return
	}
	g.memory.known[key] = v
	if b, err := json.Marshal(v); err == nil && g.Kept != nil {
		g.Kept.Put(key, b)
	}
}

// claim takes keys that nobody else is at work on; the others are waited for in the end.
func (g *Grader) claim(keys []string) (mine []string, release func()) {
	g.memory.mu.Lock()
	defer g.memory.mu.Unlock()
	for _, k := range keys {
		if g.memory.open[k] == nil {
			g.memory.open[k] = make(chan struct{})
			mine = append(mine, k)
		}
	}
	return mine, func() {
		g.memory.mu.Lock()
		defer g.memory.mu.Unlock()
		for _, k := range mine {
			close(g.memory.open[k])
			delete(g.memory.open, k)
		}
	}
}

// wait waits until nobody is at work on a key.
func (g *Grader) wait(ctx context.Context, key string) error {
	g.memory.mu.Lock()
	open := g.memory.open[key]
	g.memory.mu.Unlock()
	if open == nil {
		return ctx.Err()
	}
	select {
	case <-open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
