package gradebook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/submission"
)

// A Written is a student's answer to a task, which somebody marks by hand.
type Written struct {
	Cell  string  `json:"cell"`   // the id of the cell with the worked answer
	Task  int     `json:"number"` // from 1
	Title string  `json:"title"`
	Of    float64 `json:"of"`
	// Answer is what was written, nil for nothing: that gives no points, and nobody has to
	// look at it.
	Answer *submission.Text `json:"answer,omitempty"`
	// Marked says that somebody has given Points. Comment is for the student.
	Marked  bool    `json:"marked,omitempty"`
	Points  float64 `json:"points"`
	Comment string  `json:"comment,omitempty"`
	// By is who has marked it last, as they call themselves, and At when.
	By string    `json:"by,omitempty"`
	At time.Time `json:"at,omitzero"`
	// Before is the mark that another answer of the same student has got, where that was
	// marked and this one has replaced it.
	Before string `json:"before,omitempty"`
}

// Waits reports whether the answer is still to be marked.
func (w Written) Waits() bool { return w.Answer != nil && !w.Marked }

// Says is the mark in a sentence.
func (w Written) Says() string {
	switch {
	case w.Waits():
		return fmt.Sprintf("not marked yet (%s).", points(w.Of))
	case w.Answer == nil:
		return fmt.Sprintf("0 of %s. You have not written anything here.", points(w.Of))
	case w.Comment != "":
		return fmt.Sprintf("%s of %s. %s", number(w.Points), points(w.Of), w.Comment)
	}
	return fmt.Sprintf("%s of %s.", number(w.Points), points(w.Of))
}

// Waiting counts the written answers that are still to be marked.
func (b *Book) Waiting() int {
	n := 0
	for _, s := range b.Students {
		for _, nb := range s.Notebooks {
			for _, w := range nb.Written {
				if w.Waits() {
					n++
				}
			}
		}
	}
	return n
}

// A HandMark is what somebody gave for a written answer.
type HandMark struct {
	Student  string `json:"student"`
	ID       string `json:"id,omitempty"`
	Notebook string `json:"notebook"`
	Cell     string `json:"cell"`
	// Answer stands for what was marked: [Written.Key].
	Answer  string  `json:"answer"`
	Points  float64 `json:"points"`
	Comment string  `json:"comment,omitempty"`
	// Undone takes the mark back.
	Undone bool `json:"undone,omitempty"`
	// By is who gave it, as they call themselves, and At when.
	By string    `json:"by,omitempty"`
	At time.Time `json:"at,omitzero"`
}

// Key stands for what was written.
func (w Written) Key() string {
	text, _ := json.Marshal(w.Answer) // texts and bytes, which always can be
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:8])
}

// Apply puts marks into the book; of several for one answer the last counts. A mark of an
// answer that the student has replaced is told in Before.
func (b *Book) Apply(marks []HandMark) {
	type place struct{ student, id, notebook, cell string }
	at := map[place]*Written{}
	for i := range b.Students {
		s := &b.Students[i]
		for j := range s.Notebooks {
			nb := &s.Notebooks[j]
			for k := range nb.Written {
				at[place{s.Name, s.ID, nb.Name, nb.Written[k].Cell}] = &nb.Written[k]
			}
		}
	}
	for _, m := range marks {
		if w := at[place{m.Student, m.ID, m.Notebook, m.Cell}]; w != nil && w.Answer != nil {
			w.Apply(m)
		}
	}
}

// Apply gives the answer a mark: points between 0 and what can be had, or none where it is
// undone, when the comment stays. A mark of an answer that was replaced goes into Before.
func (w *Written) Apply(m HandMark) {
	if m.Answer != w.Key() {
		w.Before = ""
		if !m.Undone {
			w.Before = fmt.Sprintf("another answer got %s of %s", number(m.Points), points(w.Of))
			if m.Comment != "" {
				w.Before += fmt.Sprintf(" (%s)", m.Comment)
			}
		}
		return
	}
	w.Marked, w.Points, w.Comment, w.By, w.At = !m.Undone, 0, m.Comment, m.By, m.At
	if w.Marked {
		w.Points = min(max(m.Points, 0), w.Of)
	}
}
