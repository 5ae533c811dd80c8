package judge

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// A Case is what a function must do, without the call: its name, what is expected, how far
// numbers may lie from it, and the author's help.
type Case struct {
	Name string  `json:"name"`
	Hint string  `json:"hint,omitempty"`
	Want Value   `json:"want"`
	Tol  float64 `json:"tol,omitempty"`
}

// An Answer is what the call of a case came to: a value, or why there is none.
type Answer struct {
	Value Value `json:"value"`
	// Failed says why there is no value; "" where there is one.
	Failed string `json:"failed,omitempty"`
	// Unwritten says that the function still is a stub, NoAnswer that it took too long, or
	// all memory, and NotTried that something before it did.
	Unwritten bool `json:"unwritten,omitempty"`
	NoAnswer  bool `json:"no_answer,omitempty"`
	NotTried  bool `json:"not_tried,omitempty"`
}

// UnmarshalJSON refuses what no answer could be: it may come from a program that nobody trusts.
func (a *Answer) UnmarshalJSON(text []byte) error {
	type plain Answer
	if err := json.Unmarshal(text, (*plain)(a)); err != nil {
		return err
	}
	if !a.Value.sound() {
		return errors.New("the value of an answer does not hold together")
	}
	a.Failed = clip(a.Failed)
	return nil
}

// A Score is how a check ended.
type Score struct {
	Title  string      `json:"title"`
	Passed int         `json:"passed"`
	Of     int         `json:"of"`
	Cases  []CaseScore `json:"cases"`
}

// A CaseScore is how one case of a check ended.
type CaseScore struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	// Unwritten says that the function still is a stub, NoAnswer that it took too long, or
	// all memory.
	Unwritten bool `json:"unwritten,omitempty"`
	NoAnswer  bool `json:"no_answer,omitempty"`
	// Message is what went wrong, and Hint the author's help, both for a failed case only.
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// Compare compares answers with what was expected, case by case.
func Compare(title string, cases []Case, answers []Answer) Score {
	score := Score{Title: title, Of: len(cases)}
	for i, a := range answers {
		c := CaseScore{Name: cmp.Or(cases[i].Name, fmt.Sprintf("case %d", i+1)), Message: a.Failed, Unwritten: a.Unwritten, NoAnswer: a.NoAnswer}
		if a.Failed == "" {
			if err := Differ(a.Value, cases[i].Want, cases[i].Tol); err != nil {
				c.Message = err.Error()
			} else {
				c.Passed = true
				score.Passed++
			}
		}
		if !c.Passed && !a.Unwritten && !a.NotTried {
			c.Hint = cases[i].Hint
		}
		score.Cases = append(score.Cases, c)
	}
	return score
}

// Full says whether there were cases and all of them passed.
func (s Score) Full() bool { return s.Passed == s.Of && s.Of > 0 }

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
