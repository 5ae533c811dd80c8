package gradebook

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
)

// CSV is a row for each student: name, id, late, points, what could be had, a column for
// each exercise and each task, and what a grader should look at. A written answer that is
// still to be marked is an empty field.
func (b *Book) CSV() ([]byte, error) {
	header := []string{"student", "id", "late", "points", "of"}
	if len(b.Students) > 0 {
		for _, nb := range b.Students[0].Notebooks {
			for _, q := range nb.Marks {
				header = append(header, fmt.Sprintf("%s %d (of %s)", nb.Name, q.Exercise, number(q.Of)))
			}
			for _, w := range nb.Written {
				header = append(header, fmt.Sprintf("%s written %d (of %s)", nb.Name, w.Task, number(w.Of)))
			}
		}
	}
	rows := [][]string{append(header, "notes")}
	for _, s := range b.Students {
		late := ""
		if s.Late {
			late = "late"
		}
		row := []string{text(s.Name), text(s.ID), late, number(s.Points()), number(s.Of())}
		notes := append([]string{}, s.Notes...)
		for _, nb := range s.Notebooks {
			if !nb.HandedIn {
				row = append(row, make([]string, len(nb.Marks)+len(nb.Written))...)
				notes = append(notes, nb.Name+" was not handed in.")
				continue
			}
			before := len(notes)
			for _, q := range nb.Marks {
				row = append(row, number(q.Points))
				if why := q.Remark(); why != "" {
					notes = append(notes, fmt.Sprintf("%s %d: %s", nb.Name, q.Exercise, why))
				}
			}
			for _, w := range nb.Written {
				if w.Waits() {
					row = append(row, "")
					notes = append(notes, fmt.Sprintf("%s written %d: to be marked.", nb.Name, w.Task))
				} else {
					row = append(row, number(w.Points))
				}
			}
			if nb.Points() == 0 && len(notes) == before {
				notes = append(notes, nb.Name+": "+nb.nothing())
			}
			for _, n := range nb.Notes {
				notes = append(notes, nb.Name+": "+n)
			}
		}
		rows = append(rows, append(row, text(strings.Join(notes, " "))))
	}
	data, err := table(rows)
	return append([]byte("\ufeff"), data...), err // by which a spreadsheet knows the letters
}

// nothing says why a notebook without remarks has no points.
func (n Notebook) nothing() string {
	written := slices.ContainsFunc(n.Marks, func(q Question) bool { return q.State != grade.NotWritten }) ||
		slices.ContainsFunc(n.Written, func(w Written) bool { return w.Answer != nil })
	if written {
		return "no case of its exercises passes."
	}
	return "nothing is written in it."
}

// Remark is why a grader may want to look at the answer: it ended the program, used what it
// may not, or does not compile. "" for no reason.
func (q Question) Remark() string {
	switch q.State {
	case grade.NotAllowed, grade.Stopped:
		return q.Why
	case grade.DoesNotCompile:
		return strings.Join(append([]string{q.Why}, q.Errors[:min(1, len(q.Errors))]...), " ")
	}
	return ""
}

// Canvas is the table that Canvas imports in its grade book ("Import", a row for each
// student by Canvas's own id, the points that can be had in the second row). Students
// without an id of Canvas cannot be in it, and are returned.
func (b *Book) Canvas(assignment string) (data []byte, without []string, err error) {
	of := 0.0
	if len(b.Students) > 0 {
		of = b.Students[0].Of()
	}
	rows := [][]string{
		{"Student", "ID", "SIS User ID", "SIS Login ID", "Section", text(assignment)},
		{"    Points Possible", "", "", "", "", number(of)},
	}
	for _, s := range b.Students {
		if s.ID == "" {
			without = append(without, s.Name)
			continue
		}
		rows = append(rows, []string{text(s.Name), s.ID, "", "", "", number(s.Points())})
	}
	data, err = table(rows)
	return data, without, err
}

// Moodle is the grading worksheet that Moodle imports ("Upload grading worksheet"), with
// the number of the participant that stands in the names of folders. Students without one
// cannot be in it, and are returned.
func (b *Book) Moodle() (data []byte, without []string, err error) {
	rows := [][]string{{"Identifier", "Full name", "Grade", "Maximum grade", "Feedback comments"}}
	for _, s := range b.Students {
		if s.ID == "" {
			without = append(without, s.Name)
			continue
		}
		var lines []string
		for _, nb := range s.Notebooks {
			for _, q := range nb.Marks {
				lines = append(lines, fmt.Sprintf("%s, exercise %d: %s of %s points. %s", path.Base(nb.Name), q.Exercise, number(q.Points), number(q.Of), q.Why))
			}
			for _, w := range nb.Written {
				lines = append(lines, fmt.Sprintf("%s, written answer %d: %s", path.Base(nb.Name), w.Task, w.Says()))
			}
		}
		rows = append(rows, []string{"Participant " + s.ID, text(s.Name), number(s.Points()), number(s.Of()), text(strings.Join(lines, "\n"))})
	}
	data, err = table(rows)
	return data, without, err
}

func table(rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.WriteAll(rows) // which flushes
	return b.Bytes(), err
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// text is a text that no spreadsheet takes for a formula (OWASP, "CSV Injection").
func text(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
