package gradebook

import (
	"encoding/csv"
	"reflect"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/submission"
)

// readers is three students with one task of 3 points each; one has written nothing.
func readers() *Book {
	student := func(name, answer string) Student {
		w := Written{Cell: "why", Task: 1, Title: "Question 5: which k?", Of: 3}
		if answer != "" {
			w.Answer = &submission.Text{Source: answer}
		}
		return Student{Name: name, ID: "id " + name, Notebooks: []Notebook{{Name: "lab3/01", Title: "Nearest", HandedIn: true, Written: []Written{w}}}}
	}
	return &Book{Students: []Student{student("Ada", "15, because"), student("Bob", ""), student("Eve", "41")}}
}

func (b *Book) markOf(student int) HandMark {
	s := b.Students[student]
	w := s.Notebooks[0].Written[0]
	return HandMark{Student: s.Name, ID: s.ID, Notebook: "lab3/01", Cell: "why", Answer: w.Key(), Points: 2.5, Comment: "<b>no spread</b>"}
}

// Oracle: the marks are given so that the points can be read off.
func TestApply(t *testing.T) {
	other := func(m HandMark, change func(m *HandMark)) HandMark { change(&m); return m }
	b := readers()
	ada, eve, bob := b.markOf(0), b.markOf(2), b.markOf(1)
	for _, tc := range []struct {
		name    string
		marks   []HandMark
		points  float64 // of Ada
		waiting int
		before  string
	}{
		{"none", nil, 0, 2, ""},
		{"one", []HandMark{ada}, 2.5, 1, ""},
		{"the last counts", []HandMark{other(ada, func(m *HandMark) { m.Points = 1 }), ada, eve}, 2.5, 0, ""},
		{"taken back", []HandMark{ada, other(ada, func(m *HandMark) { m.Undone = true })}, 0, 2, ""},
		{"of what was replaced", []HandMark{other(ada, func(m *HandMark) { m.Answer = "x" })}, 0, 2, "another answer got 2.5 of 3 points (<b>no spread</b>)"},
		{"taken back, then replaced", []HandMark{other(ada, func(m *HandMark) { m.Answer = "x" }), other(ada, func(m *HandMark) { m.Answer, m.Undone = "x", true })}, 0, 2, ""},
		{"more than can be had", []HandMark{other(ada, func(m *HandMark) { m.Points = 9 })}, 3, 1, ""},
		{"less than nothing", []HandMark{other(ada, func(m *HandMark) { m.Points = -9 })}, 0, 1, ""},
		{"for nothing written", []HandMark{bob}, 0, 2, ""},
		{"of nobody", []HandMark{other(ada, func(m *HandMark) { m.ID = "x" })}, 0, 2, ""},
	} {
		b := readers()
		b.Apply(tc.marks)
		w := b.Students[0].Notebooks[0].Written[0]
		if b.Students[0].Points() != tc.points || b.Waiting() != tc.waiting || w.Before != tc.before {
			t.Errorf("%s: %v points, %d waiting, before %q", tc.name, b.Students[0].Points(), b.Waiting(), w.Before)
		}
		if b.Students[1].Points() != 0 || b.Students[0].Of() != 3 {
			t.Errorf("%s: Bob has %v, of %v", tc.name, b.Students[1].Points(), b.Students[0].Of())
		}
	}
}

func TestWrittenInTablesAndPages(t *testing.T) {
	b := readers()
	b.Apply([]HandMark{b.markOf(0)})
	data, err := b.CSV()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	want := [][]string{
		{"\ufeffstudent", "id", "late", "points", "of", "lab3/01 written 1 (of 3)", "notes"},
		{"Ada", "id Ada", "", "2.5", "3", "2.5", ""},
		{"Bob", "id Bob", "", "0", "3", "0", "lab3/01: nothing is written in it."},
		{"Eve", "id Eve", "", "0", "3", "", "lab3/01 written 1: to be marked."}}
	if err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("%v, %v", rows, err)
	}
	for i, parts := range [][]string{
		{"2.5 of 3 points", "&lt;b&gt;no spread&lt;/b&gt;", "Question 5: which k?"},
		{"0 of 3 points", "You have not written anything here."},
		{"not marked yet"},
	} {
		page, err := b.Students[i].Feedback()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if !strings.Contains(string(page), p) {
				t.Errorf("%s: no %q in\n%s", b.Students[i].Name, p, page)
			}
		}
	}
	moodle, _, err := b.Moodle()
	if err != nil || !strings.Contains(string(moodle), "01, written answer 1: 2.5 of 3 points. <b>no spread</b>") {
		t.Errorf("%s, %v", moodle, err)
	}
	again, err := b.JSON()
	if err != nil {
		t.Fatal(err)
	}
	merged, err := Merge(Part{"part.json", again})
	if err != nil || !reflect.DeepEqual(merged, b) {
		t.Errorf("a merged book is another one, %v", err)
	}
}
