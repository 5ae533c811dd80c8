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

// Oracles: the folders and files that these platforms make of one name and login. Logins and long
// numbers stand for a name, short numbers do not, since platforms have several kinds of them.
func TestCalled(t *testing.T) {
	ada := Participant{Name: "Ada Lovelace", IDs: []string{"ada7", "12345678", "12"}}
	juergen := Participant{Name: "M\u00fcller, J\u00fcrgen", IDs: []string{"jm"}}
	mina := Participant{Name: "\u0645\u06cc\u0646\u0627\u200c\u062e", IDs: []string{"mina"}}
	for _, c := range []struct {
		of   Participant
		name string
		want bool
	}{
		{ada, "Ada Lovelace", true}, {ada, "lovelaceada", true}, {ada, "Lovelace, Ada", true},
		{ada, "Lovelace, Ada(ada7)", true},   // Sakai
		{ada, "Lovelace_Ada_ada7", true},     // OpenOlat
		{ada, "Lovelace_Ada_ada7_301", true}, // ILIAS
		{ada, "Lovelace_Ada_bob", false}, {ada, "Lovelace_Ada_ada7301", false}, {ada, "Lovelace_Ada_301", false},
		{ada, "ada7", true}, // Blackboard, nbgrader
		{ada, "ADA7", true}, {ada, "ada", false}, {ada, "ada7_3", false}, {ada, "12345678", true}, {ada, "Lovelace_Ada_12345678", true}, {ada, "12", false}, {ada, "1234567", false},
		{juergen, "J\u00fcrgen M\u00fcller", true}, {juergen, "Mu\u0308ller_Ju\u0308rgen_jm", true}, {juergen, "Mueller_Juergen_jm_302", true}, {juergen, "Muller_Jurgen_jm_302", true}, {juergen, "Moller_Jurgen_jm_302", false},
		{mina, "\u0645\u06cc\u0646\u0627\u062e", true}, {mina, "__mina_303", true}, {mina, "__bob_303", false},
		{Participant{Name: "Mu\u0308ller Jan"}, "Mueller_Jan", true},
		{Participant{Name: "?"}, "?", false}, {Participant{Name: "Ada", IDs: []string{""}}, "", false},
	} {
		exact, other := c.of.spellings()
		if got := exact.is(compared(c.name)) || other.is(compared(c.name)); got != c.want {
			t.Errorf("%s %v is called %q: %v, want %v", c.of.Name, c.of.IDs, c.name, got, c.want)
		}
	}
}

// A name as it is written goes before what platforms may have made of another.
func TestEnrolExactFirst(t *testing.T) {
	list := []Participant{{Name: "J\u00fcrgen M\u00fcller", IDs: []string{"jm"}}, {Name: "Jurgen Muller", IDs: []string{"jmu"}}, {Name: "Ada", IDs: []string{"grace"}}, {Name: "Grace"}, {Name: "Bob", IDs: []string{"bob7"}}}
	book := &Book{}
	for _, name := range []string{"Jurgen Muller", "Grace", "bob7"} {
		book.Students = append(book.Students, Student{Name: name})
	}
	book.Enrol(list)
	var got []string
	for _, s := range book.Students {
		got = append(got, fmt.Sprint(s.Name, " ", len(s.Notes)))
	}
	if want := "J\u00fcrgen M\u00fcller 1, Jurgen Muller 0, Ada 1, Grace 0, bob7 0"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
