package nbkit

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/grading"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

// A Case is one thing that a function must do.
type Case struct {
	// Name says what is tried, "three equal labels".
	Name string
	// Got calls the function. It may panic or hang: that is a failed case.
	// [Values] wraps the results of a function that returns several.
	Got func() any
	// Want is the right answer. Numbers are compared by value whatever their
	// types, slices, maps, structs and matrices element by element. An error, or one
	// that it wraps, has to have the type and the text of the right one.
	Want any
	// Tol is the largest absolute difference allowed between numbers; 0: none. Less
	// than 1 does not loosen whole numbers: where both values are of integer types,
	// such as classes and rows, they have to be equal.
	Tol float64
	// Hint helps whoever fails the case.
	Hint string
	// Limit is the longest the call may take; 0: 10 seconds, or 1 after a case that
	// has taken too long.
	Limit time.Duration
}

// Values packs the results of a function with several, to be compared as a
// list: Got: func() any { return nbkit.Values(split(X, y)) }.
func Values(v ...any) []any { return v }

// Check tries a function on cases and shows for each whether it passed, what
// was expected, what came, and a hint. It returns whether all passed.
//
//	nbkit.Check("Misclassification",
//		nbkit.Call("all right", 0.0, Misclassification, []int{1, 1, 1}, 1, nil),
//		nbkit.Call("half right", 0.5, Misclassification, half, 1, nil).WithHint("weights default to 1/n"))
//
// The message that shows it carries the score, too, for programs that grade
// ([ScoreMIME]).
func Check(title string, cases ...Case) bool {
	if collected != nil {
		tried := try(cases, nil)
		score := scoreOf(title, cases, tried)
		collected.scores, collected.outgrown = append(collected.scores, score), collected.outgrown || outgrown(tried)
		return score.Full()
	}
	tried := try(cases, beforeEach(title, cases))
	kernel.Unfinished(nil, 0)
	score := scoreOf(title, cases, tried)
	o := shown(score)
	if !kernel.Here {
		fmt.Fprintln(os.Stdout, o.text)
	}
	send(o)
	endIf(outgrown(tried))
	return score.Full()
}

// shown is what shows a score.
func shown(s judge.Score) output {
	var text, page strings.Builder
	unwritten := 0
	for _, c := range s.Cases {
		if c.Unwritten {
			if unwritten++; unwritten == 1 {
				c.Hint = didNotCompile
			}
		}
		mark, colour, detail := "✓", "#1b7f3b", ""
		if !c.Passed {
			mark, colour, detail = "✗", "#b3261e", c.Message
			if c.Hint != "" {
				detail += "\nHint: " + c.Hint
			}
		}
		fmt.Fprintf(&text, "\n  %s %s", mark, c.Name)
		fmt.Fprintf(&page, `<li style="list-style:none;margin:0.1em 0"><span style="color:%s;font-weight:bold">%s</span> %s`, colour, mark, html.EscapeString(c.Name))
		if detail != "" {
			text.WriteString(": " + strings.ReplaceAll(detail, "\n", "\n      "))
			page.WriteString(`: ` + strings.ReplaceAll(html.EscapeString(detail), "\n", "<br>"))
		}
		page.WriteString("</li>")
	}
	kind, sum := kindChecked, fmt.Sprintf("%s: %d of %d passed", s.Title, s.Passed, s.Of)
	if s.Of == 0 {
		sum = s.Title + ": nothing was checked"
	}
	if !s.Full() {
		kind = kindFailed
	}
	return output{kind: kind, text: sum + text.String(), score: marshal(s),
		html: `<div style="margin:0.5em 0"><strong>` + html.EscapeString(sum) + `</strong><ul style="margin:0.2em 0;padding-left:1em">` + page.String() + `</ul></div>`}
}

// didNotCompile is said to those who have written a function and are told that they have not.
const didNotCompile = "if you have written it, run its cell; where that does not compile, an earlier version is tried"

// Try calls the functions of the cases and tells what each came to before the next is tried, for
// programs that grade: what is expected is compared elsewhere.
func Try(each func(judge.Answer, judge.Case), cases ...Case) {
	told := 0
	tell := func(so []tried, _ time.Duration) {
		for ; told < len(so); told++ {
			each(so[told].answer(), cases[told].expects(so[told]))
		}
	}
	tell(try(cases, tell), 0)
}

// expects is the case without its call.
func (c Case) expects(t tried) judge.Case {
	return judge.Case{Name: c.Name, Hint: c.Hint, Tol: c.Tol, Want: t.want}
}

// scoreOf is the score of cases that came to this.
func scoreOf(title string, cases []Case, all []tried) judge.Score {
	var answers []judge.Answer
	var expected []judge.Case
	for i, t := range all {
		answers, expected = append(answers, t.answer()), append(expected, cases[i].expects(t))
	}
	return judge.Compare(title, expected, answers)
}

// errNoAnswer is the failure of a call that takes too long, or all memory.
var errNoAnswer = errors.New("no answer")

// tried is what a case came to: an answer, and what was expected then, or an error.
type tried struct {
	got, want judge.Value
	err       error
}

func (t tried) answer() judge.Answer {
	if t.err == nil {
		return judge.Answer{Value: t.got}
	}
	return judge.Answer{Failed: t.err.Error(), Unwritten: errors.Is(t.err, ErrNotImplemented), NoAnswer: errors.Is(t.err, errNoAnswer), NotTried: errors.Is(t.err, errNotTried)}
}

// outgrown says whether one of the cases cannot be stopped but with the whole program.
func outgrown(all []tried) bool {
	return slices.ContainsFunc(all, func(t tried) bool { return tooBig(t.err) })
}

// try tries the cases. It calls before, if there is one, before each, with those that were tried
// and how long the case may take. After a call that has taken too long the later ones get a
// second each: nobody wants to wait ten for each case, and what was given up still keeps a
// processor busy. After one that fills the memory the later ones are not tried.
func try(cases []Case, before func(so []tried, limit time.Duration)) []tried {
	checking.Add(1)
	defer checking.Add(-1)
	all, patience := make([]tried, len(cases)), 10*time.Second
	for i, c := range cases {
		if i > 0 && (tooBig(all[i-1].err) || all[i-1].err == errToBeEnded) {
			all[i].err = errToBeEnded
			continue
		}
		limit := cmp.Or(c.Limit, patience)
		if before != nil {
			before(all[:i], limit)
		}
		all[i] = c.try(limit)
		if errors.Is(all[i].err, errNoAnswer) {
			patience = time.Second
		}
	}
	return all
}

func (c Case) try(limit time.Duration) tried {
	failed := func(err error) tried { return tried{err: err} }
	if c.Got == nil {
		return failed(errors.New("the case calls nothing: Got is nil"))
	}
	answers, start := make(chan tried, 1), measured()
	go func() {
		var t tried
		returned := false
		defer func() {
			if !returned {
				t = failed(panicked(recover()))
			}
			answers <- t
		}()
		// Here, because an answer's methods may panic or wait as well.
		t.got = judge.Of(c.Got())
		t.want = judge.Of(c.Want)
		returned = true
	}()
	timeUp, stop := grading.After(limit)
	defer stop()
	ticks, done := memoryTicks()
	defer done()
	for {
		select {
		case t := <-answers:
			return t
		case <-timeUp:
			givenUp.Add(1)
			go func() {
				<-answers
				givenUp.Add(-1)
			}()
			return failed(fmt.Errorf("%w after %v: does a loop never end?", errNoAnswer, limit))
		case <-ticks:
			err := measured().grownFrom(start)
			if err != nil && givenUp.Load() > 0 {
				err = fmt.Errorf("%w This case does so, or an earlier one that has not ended", err)
			}
			if err != nil {
				return failed(err)
			}
		}
	}
}

// panicked turns what recover returned into one sentence that names the line of
// the notebook's function, not the whole stack.
func panicked(r any) error {
	if r == nil {
		return errors.New("the function ended without returning")
	}
	err, isError := r.(error)
	if isError && errors.Is(err, ErrNotImplemented) {
		return ErrNotImplemented
	}
	if fault, ok := r.(miswritten); ok {
		return fault
	}
	msg := judge.Short(fmt.Sprint(r))
	if strings.EqualFold(strings.TrimSuffix(strings.TrimSpace(msg), "!"), "not implemented") {
		return ErrNotImplemented // nbgrader's own stub
	}
	if at := panicLine(); at != "" {
		msg += ", " + at
	}
	return fmt.Errorf("panic: %s", msg)
}

// isCell says whether a file is called as the lines of a cell are where a page or the grading
// puts a program together, "cell7". Jupyter's kernel does not tell which line is which of a cell.
func isCell(file string) bool {
	number, ok := strings.CutPrefix(file[strings.LastIndexAny(file, `/\`)+1:], "cell")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// panicLine says where in the notebook's own functions, which are those of package
// main, the running panic arose: "in Misclassification, line 4 of its cell", as an editor
// numbers lines, or where that is not known "line 3 counted from its func", and without a
// line if the compiler has inlined the function, so that its beginning is not known. It is
// called by the deferred function that recovers.
func panicLine() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if name, ok := strings.CutPrefix(f.Function, "main."); ok && !strings.Contains(name, ".func") {
			if isCell(f.File) {
				return fmt.Sprintf("in %s, line %d of its cell", name, f.Line)
			}
			if f.Func == nil {
				return "in " + name
			}
			_, first := f.Func.FileLine(f.Entry)
			return fmt.Sprintf("in %s, line %d counted from its func", name, f.Line-first+1)
		}
		if !more {
			return ""
		}
	}
}
