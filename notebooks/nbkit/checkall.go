package nbkit

import (
	"errors"
	"fmt"
	"html"
	"os"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/kernel"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

// An Exercise is one of those that [CheckAll] goes through.
type Exercise struct {
	Title  string // "Exercise 1: Distances"
	Points int
	Check  func() // calls Check
}

// CheckAll runs the checks of a notebook's exercises once more and shows the points so
// far in one table: for each exercise the share of its points that the cases give, and the
// first thing that is missing. What [Check] would show is left out. It returns the points.
//
// The cell at the end of a student's copy calls it; "lab exercises" writes that cell.
func CheckAll(exercises ...Exercise) float64 {
	rows, points, of, done := make([]result, len(exercises)), 0.0, 0, 0
	ends := false
	for i, e := range exercises {
		of += e.Points
		if ends {
			rows[i].missing = errToBeEnded.Error()
			continue
		}
		rows[i] = e.try()
		ends = rows[i].ends
		points += rows[i].points
		if rows[i].missing == "" {
			done++
		}
	}
	sum := fmt.Sprintf("Points so far: %s of %d", short(points), of)
	var text, page strings.Builder
	for i, r := range rows {
		got := fmt.Sprintf("%s of %d", short(r.points), exercises[i].Points)
		fmt.Fprintf(&text, "\n  %s: %s", exercises[i].Title, got)
		if r.missing != "" {
			text.WriteString(": " + strings.ReplaceAll(r.missing, "\n", "\n      "))
		}
		fmt.Fprintf(&page, `<tr><td style="text-align:left">%s</td><td style="text-align:left;white-space:nowrap">%s</td><td style="text-align:left">%s</td></tr>`,
			html.EscapeString(exercises[i].Title), got, strings.ReplaceAll(html.EscapeString(r.missing), "\n", "<br>"))
	}
	o := output{kind: kindChecked, text: sum + text.String(),
		html: `<table><caption style="text-align:left;font-weight:bold">` + sum + `</caption><thead><tr><th style="text-align:left">exercise</th><th style="text-align:left">points</th><th style="text-align:left">what is missing</th></tr></thead><tbody>` + page.String() + `</tbody></table>`}
	if done < len(exercises) {
		o.kind = kindFailed
	}
	if !kernel.Here {
		fmt.Fprintln(os.Stdout, o.text)
	}
	send(o)
	endIf(ends)
	return points
}

// A result is how the check of one exercise ended.
type result struct {
	points  float64
	missing string // "" where nothing is
	ends    bool   // the program has to be ended
}

// collected takes what becomes of checks that CheckAll runs; nil at any other time.
var collected *collection

type collection struct {
	scores   []judge.Score
	outgrown bool // the program has to be ended
}

// try runs the check of an exercise. It may panic, since it may call the exercise, or
// another one, outside of its cases.
func (e Exercise) try() result {
	var of collection
	ended := make(chan error)
	checking.Add(1)
	go func() { // which the check may end by runtime.Goexit
		var err error
		returned := false
		defer func() {
			collected = nil
			if !returned {
				err = panicked(recover())
			}
			ended <- err
		}()
		collected = &of
		e.Check()
		returned = true
	}()
	err := <-ended
	checking.Add(-1)
	scores, ends := of.scores, of.outgrown
	switch {
	case len(scores) == 1 && scores[0].Of > 0: // whatever comes after it
	case errors.Is(err, ErrNotImplemented):
		return result{missing: err.Error(), ends: ends}
	case err != nil:
		return result{missing: "the check stops: " + err.Error(), ends: ends}
	case len(scores) > 1:
		return result{missing: "your function calls nbkit.Check itself: leave that to the check", ends: ends}
	default:
		return result{missing: "nothing was checked", ends: ends}
	}
	s := scores[0]
	r := result{points: float64(e.Points) * float64(s.Passed) / float64(s.Of), ends: ends}
	for _, c := range s.Cases {
		if c.Passed {
			continue
		}
		if s.Unwritten() == s.Of {
			return result{missing: ErrNotImplemented.Error(), ends: ends}
		}
		r.missing = fmt.Sprintf("%d of %d cases pass. %s: %s", s.Passed, s.Of, c.Name, c.Message)
		if c.Hint != "" {
			r.missing += "\nHint: " + c.Hint
		}
		break
	}
	return r
}

// short is a number of points without digits that say nothing: 7.5, 2.25, 0.67.
func short(points float64) string {
	s := strconv.FormatFloat(points, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
