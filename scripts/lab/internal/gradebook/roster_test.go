package gradebook

import (
	"fmt"
	"strings"
	"testing"
)

// Oracles: the columns that Canvas's grade book, Moodle's participants and grading worksheet,
// Blackboard and Brightspace export, as their manuals name them.
func TestReadRoster(t *testing.T) {
	for _, c := range []struct{ name, text, want, wrong string }{
		{"Canvas", "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n\"Lovelace, Ada\",12,S1,ada,A\n\"Student, Test\",13,,,A\n", "Lovelace, Ada [12 S1 ada]", ""},
		{"Moodle's worksheet", "Identifier,Full name,Status\nParticipant 99,Ada Lovelace,Submitted\n", "Ada Lovelace [99]", ""},
		{"Moodle's participants", "First name;Last name;ID number;Email address\nAda;Lovelace;S1;a@b.c\n", "Ada Lovelace [S1]", ""},
		{"Blackboard", "Last Name\tFirst Name\tUsername\tStudent ID\nLovelace\tAda\tal7\t12\n", "Ada Lovelace [al7 12]", ""},
		{"Brightspace", "OrgDefinedId,Last Name,First Name,Email\n#12,Lovelace,Ada,a@b.c\n", "Ada Lovelace [#12]", ""},
		{"one's own", "name\nAda\n\nBob\n", "Ada [], Bob []", ""},
		{"no names", "a,b\n1,2\n", "", "no column of names: there are [\"a\" \"b\"]"},
		{"nothing", "", "", "an empty list"},
		{"nobody", "Name\n", "", "a list without names"},
	} {
		list, err := ReadRoster([]byte(c.text))
		var got []string
		for _, p := range list {
			got = append(got, fmt.Sprint(p.Name, " ", p.IDs))
		}
		if strings.Join(got, ", ") != c.want || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %q, %v; want %q, %q", c.name, got, err, c.want, c.wrong)
		}
	}
}

// Who handed in nothing has a row, in the list's order; a number counts with the name only.
func TestEnrol(t *testing.T) {
	list, err := ReadRoster([]byte("Name,ID\n\"Zuse, Konrad\",1\nAda King Lovelace,2\nJohn Smith,3\nJohn Smith,4\nGrace Hopper,5\nAlan Turing,6\nJo Doe,7\nJo Doe,8\n"))
	if err != nil {
		t.Fatal(err)
	}
	book := &Book{}
	for _, s := range [][2]string{{"King Lovelace Ada", ""}, {"Alan Turing", "5"}, {"smithjohn", "4"}, {"John Smith", ""}, {"Eve", "5"}, {"zusekonrad", "77"}, {"Jo Doe", ""}} {
		book.Students = append(book.Students, Student{Name: s[0], ID: s[1], Notebooks: class().Students[0].Notebooks})
	}
	book.Enrol(list)
	var got []string
	for _, s := range book.Students {
		got = append(got, fmt.Sprint(s.Name, "/", s.ID, " ", strings.Join(s.Notes, "")))
		if handed := s.Notebooks[0].HandedIn; len(s.Notebooks) != 1 || len(s.Notebooks[0].Marks) != 2 || s.Of() != 3 || handed == strings.HasPrefix(strings.Join(s.Notes, ""), "Nothing") || !handed && s.Points() != 0 {
			t.Errorf("%s: %+v", s.Name, s.Notebooks)
		}
	}
	const none, unknown = "Nothing was handed in under this name.", "This name is not on the list of participants, or more than once."
	want := []string{"zusekonrad/77 ", "King Lovelace Ada/ ", "John Smith/ ", "smithjohn/4 ", "Grace Hopper/ " + none, "Alan Turing/5 ", "Jo Doe/ " + none, "Jo Doe/ " + none, "Eve/5 " + unknown, "Jo Doe/ " + unknown}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
