package gradebook

import (
	"encoding/csv"
	"reflect"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/submission"
)

// class is two students with everything that a page shows.
func class() *Book {
	marks := func(points float64, cases ...grade.Case) []Question {
		return []Question{
			{Mark: grade.Mark{Exercise: 1, Title: "the <b>`rate`</b>", Cell: "rate-check", Points: points, Of: 2, Cases: cases, Why: "Two cases failed.", Printed: "SECRETARGUMENT"},
				Mistake: "This is what one gets when ties go to the last class."},
			{Mark: grade.Mark{Exercise: 2, Title: "the mean", Cell: "mean-check", Of: 1, State: grade.DoesNotCompile, Why: "The cell does not compile.",
				Errors: []string{"line 3 of your cell: undefined: x"}}},
		}
	}
	failed := []grade.Case{{Name: "half", Passed: true}, {Name: "a tie", Message: "expected 1, got 2", Hint: "look at ties"},
		{Name: "SECRETNAME", Hidden: true, Message: "expected SECRETVALUE", Hint: "SECRETHINT"}}
	book := &Book{Students: []Student{
		{Name: "=cmd|'/c calc'!A0", ID: "12", Late: true, Notebooks: []Notebook{{Name: "lab3/01", Title: "Nearest <neighbours>", Marks: marks(1.33, failed...), HandedIn: true}}},
		{Name: "Ada Lovelace", Notes: []string{"work.rar is no zip file."}, Notebooks: []Notebook{{Name: "lab3/01", Title: "Nearest <neighbours>", Marks: marks(2), HandedIn: true}}},
	}}
	book.Students[1].Notebooks[0].Marks[1].State = grade.Stopped
	book.Sort()
	return book
}

func TestTables(t *testing.T) {
	b := class()
	main, err := b.CSV()
	if err != nil {
		t.Fatal(err)
	}
	canvas, noCanvas, err := b.Canvas("Lab 3")
	if err != nil {
		t.Fatal(err)
	}
	moodle, noMoodle, err := b.Moodle()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		data []byte
		want [][]string
	}{
		{"CSV", main, [][]string{
			{"\ufeffstudent", "id", "late", "points", "of", "lab3/01 1 (of 2)", "lab3/01 2 (of 1)", "notes"},
			{"'=cmd|'/c calc'!A0", "12", "late", "1.33", "3", "1.33", "0", "lab3/01 2: The cell does not compile. line 3 of your cell: undefined: x"},
			{"Ada Lovelace", "", "", "2", "3", "2", "0", "work.rar is no zip file. lab3/01 2: The cell does not compile."}}},
		// Oracle: Canvas's guide "How do I import grades in the Gradebook?".
		{"Canvas", canvas, [][]string{
			{"Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 3"},
			{"    Points Possible", "", "", "", "", "3"},
			{"'=cmd|'/c calc'!A0", "12", "", "", "", "1.33"}}},
		// Oracle: the worksheet that Moodle's assignment plugin "offline" writes.
		{"Moodle", moodle, [][]string{
			{"Identifier", "Full name", "Grade", "Maximum grade", "Feedback comments"},
			{"Participant 12", "'=cmd|'/c calc'!A0", "1.33", "3", "01, exercise 1: 1.33 of 2 points. Two cases failed.\n01, exercise 2: 0 of 1 points. The cell does not compile."}}},
	} {
		got, err := csv.NewReader(strings.NewReader(string(tc.data))).ReadAll()
		if err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %v\n%q\nwant\n%q", tc.name, err, got, tc.want)
		}
	}
	if want := []string{"Ada Lovelace"}; !reflect.DeepEqual(noCanvas, want) || !reflect.DeepEqual(noMoodle, want) {
		t.Errorf("without an id: %q and %q", noCanvas, noMoodle)
	}
}

// Nobody has 0 points without a sentence for the instructor.
func TestZero(t *testing.T) {
	blank := grade.Mark{Exercise: 1, Of: 2, State: grade.NotWritten}
	wrong := grade.Mark{Exercise: 1, Of: 2, Cases: []grade.Case{{Name: "half"}}}
	text := []Written{{Task: 1, Of: 1, Answer: &submission.Text{Source: "x"}, Marked: true}}
	for _, c := range []struct {
		name string
		nb   Notebook
		want string
	}{
		{"blank", Notebook{HandedIn: true, Marks: []Question{{Mark: blank}}, Written: []Written{{Task: 1, Of: 1}}}, "a: nothing is written in it."},
		{"wrong", Notebook{HandedIn: true, Marks: []Question{{Mark: wrong}, {Mark: blank}}}, "a: no case of its exercises passes."},
		{"wrong, and no point for what is written", Notebook{HandedIn: true, Marks: []Question{{Mark: blank}}, Written: text}, "a: no case of its exercises passes."},
		{"it does not compile", Notebook{HandedIn: true, Marks: []Question{{Mark: grade.Mark{Exercise: 1, Of: 2, State: grade.DoesNotCompile, Why: "It does not compile."}}}}, "a 1: It does not compile."},
		{"some points", Notebook{HandedIn: true, Marks: []Question{{Mark: grade.Mark{Exercise: 1, Of: 2, Points: 1}}}}, ""},
		{"not handed in", Notebook{Marks: []Question{{Mark: blank}}}, "a was not handed in."},
	} {
		c.nb.Name = "a"
		data, err := (&Book{Students: []Student{{Name: "Ada", Notebooks: []Notebook{c.nb}}}}).CSV()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
		if err != nil || len(rows) != 2 || rows[1][len(rows[1])-1] != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, rows, err, c.want)
		}
	}
}

// Shards make the same bytes as one run, in whatever order they are merged.
func TestMerge(t *testing.T) {
	b := class()
	whole, err := b.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var parts []Part
	for _, s := range b.Students {
		data, err := (&Book{Students: []Student{s}}).JSON()
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, Part{"of " + s.Name, data})
	}
	empty, _ := (&Book{}).JSON()
	for _, order := range [][]Part{{parts[0], parts[1]}, {parts[1], {"none", empty}, parts[0]}, {{"whole", whole}}} {
		merged, err := Merge(order...)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := merged.JSON(); string(got) != string(whole) {
			t.Errorf("merged:\n%s\nwhole:\n%s", got, whole)
		}
	}
	other := strings.Replace(string(parts[1].JSON), "mean-check", "another", 1)
	for _, tc := range []struct {
		parts []Part
		want  string
	}{
		{nil, "nothing"},
		{[]Part{parts[0], parts[0]}, "both grade"},
		{[]Part{parts[0], {"x.json", []byte(other)}}, "not graded for the same questions"},
		{[]Part{{"x.csv", []byte("student,id")}}, "x.csv is no book"},
	} {
		if _, err := Merge(tc.parts...); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q in it", err, tc.want)
		}
	}
}

func TestFeedback(t *testing.T) {
	for _, s := range class().Students {
		page, err := s.Feedback()
		if err != nil {
			t.Fatal(err)
		}
		text := string(page)
		for _, secret := range []string{"SECRET", "<b>", "<neighbours>"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the page holds %s", s.Name, secret)
			}
		}
		for _, want := range []string{"Exercise 1", "<code>rate</code>", "line 3 of your cell: undefined: x", "This is what one gets when"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page does not hold %q", s.Name, want)
			}
		}
	}
}

func TestFileNames(t *testing.T) {
	names := []string{"Ada Lovelace", "ada lovelace", "../../x", "CON", "Żółć", "a/b", "日本", "", strings.Repeat("n", 300)}
	b := &Book{}
	for _, n := range names {
		b.Students = append(b.Students, Student{Name: n})
	}
	b.Students = append(b.Students, Student{Name: "Ada Lovelace", ID: "7"}, Student{Name: "Ada Lovelace", ID: "7/8"})
	// One who is called as the file of another is.
	for _, n := range b.FileNames() {
		b.Students = append(b.Students, Student{Name: n})
	}
	seen := map[string]bool{}
	for i, n := range b.FileNames() {
		if n == "" || len(n) > 90 || seen[strings.ToLower(n)] || strings.ContainsAny(n, `/\.:<>"|?*`) || strings.EqualFold(n, "con") {
			t.Errorf("%q gets the file name %q", b.Students[i].Name, n)
		}
		seen[strings.ToLower(n)] = true
	}
}

// What was not handed in has no points in the table, which 0 would be, and the notes say so.
func TestNotHandedIn(t *testing.T) {
	b := class()
	b.Students[1].Notebooks[0].HandedIn = false
	data, err := b.CSV()
	if want := "\nAda Lovelace,,,2,3,,,work.rar is no zip file. lab3/01 was not handed in.\n"; err != nil || !strings.HasSuffix(string(data), want) {
		t.Errorf("%v\n%s", err, data)
	}
}
