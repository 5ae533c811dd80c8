package gradebook

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
)

// A Participant is somebody who may hand something in, as a platform's list tells.
type Participant struct {
	Name string
	IDs  []string // numbers and logins by which the platform knows them
}

// ReadRoster reads a platform's list of participants: a table whose first line names its columns,
// separated by commas, semicolons or tabs. The name stands in a column called as Canvas ("Student"),
// Moodle ("Full name", or "First name" and "Last name"), Blackboard and Brightspace ("First Name" and
// "Last Name") call it, or in "Name"; what is called an id, a login or a user name is one. Rows that
// name nobody, such as Canvas's of the points that can be had, are passed over.
func ReadRoster(data []byte) ([]Participant, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	first, _, _ := bytes.Cut(data, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	for _, comma := range []rune{';', '\t'} {
		if bytes.Count(first, []byte(string(comma))) > bytes.Count(first, []byte(string(r.Comma))) {
			r.Comma = comma
		}
	}
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("no table: %w", err)
	}
	if len(rows) == 0 {
		return nil, errors.New("an empty list")
	}
	whole, given, family := -1, -1, -1
	var ids []int
	for i, title := range rows[0] {
		switch t := onlyLetters(title); {
		case slices.Contains([]string{"student", "fullname", "name", "studentname"}, t):
			whole = i
		case slices.Contains([]string{"firstname", "givenname"}, t):
			given = i
		case slices.Contains([]string{"lastname", "surname", "familyname"}, t):
			family = i
		case t == "identifier" || t == "username" || t == "login" || strings.HasSuffix(t, "id") || strings.HasSuffix(t, "idnumber"):
			ids = append(ids, i)
		}
	}
	if whole < 0 && (given < 0 || family < 0) {
		return nil, fmt.Errorf("no column of names: there are %q; call one Name, or two of them First name and Last name", rows[0])
	}
	var list []Participant
	for _, row := range rows[1:] {
		at := func(i int) string {
			if i < 0 || i >= len(row) {
				return ""
			}
			return strings.TrimSpace(row[i])
		}
		p := Participant{Name: at(whole)}
		if whole < 0 {
			p.Name = strings.TrimSpace(at(given) + " " + at(family))
		}
		if p.Name == "" || onlyLetters(p.Name) == "pointspossible" || onlyLetters(p.Name) == "studenttest" {
			continue
		}
		for _, i := range ids {
			if id := strings.TrimPrefix(at(i), "Participant "); id != "" {
				p.IDs = append(p.IDs, id)
			}
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, errors.New("a list without names")
	}
	return list, nil
}

// onlyLetters is a text by which names are compared: platforms write them with and without spaces,
// in small letters, and with the family name first or last.
func onlyLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFC.String(s))
}

// A callName is a submission's name as it is compared.
type callName struct {
	letters string
	behind  string // without a number behind it, which ILIAS writes behind names and logins
	login   string // where ILIAS has left out the letters of a name
}

var numberBehind = regexp.MustCompile(`_\d+$`)

func compared(name string) callName {
	n := callName{letters: onlyLetters(name), behind: onlyLetters(numberBehind.ReplaceAllString(name, ""))}
	n.login = n.letters
	if strings.HasPrefix(name, "__") {
		n.login = n.behind
	}
	return n
}

// A spelling is how platforms write a participant's name: as it is, or with a login behind it.
type spelling struct{ whole, withID, login map[string]bool }

func (s spelling) is(n callName) bool {
	return s.whole[n.letters] || s.withID[n.letters] || s.withID[n.behind] || s.login[n.login]
}

// spellings are a participant's names as they are, and in the letters of ASCII, in which ILIAS and
// OpenOlat write them, or a login alone, as Blackboard and nbgrader have it.
func (p Participant) spellings() (exact, other spelling) {
	orders := []string{p.Name}
	if family, given, comma := strings.Cut(p.Name, ","); comma {
		orders = append(orders, given+family)
	} else {
		words := strings.Fields(p.Name)
		for i := 1; i < len(words); i++ { // which of the words are the family's nobody knows
			orders = append(orders, strings.Join(slices.Concat(words[i:], words[:i]), ""))
		}
	}
	written := func(as ...func(string) string) spelling {
		s := spelling{map[string]bool{}, map[string]bool{}, map[string]bool{}}
		for _, order := range orders {
			for _, f := range as {
				whole := onlyLetters(f(norm.NFC.String(order)))
				if whole == "" {
					continue
				}
				s.whole[whole] = true
				for _, id := range p.IDs {
					if letters := onlyLetters(id); letters != "" {
						s.withID[whole+letters] = true
					}
				}
			}
		}
		return s
	}
	exact, other = written(func(s string) string { return s }), written(withoutMarks, func(s string) string { return withoutMarks(german.Replace(s)) })
	for _, id := range p.IDs {
		if len(id) >= 5 || strings.ContainsFunc(id, unicode.IsLetter) { // there are several kinds of short numbers
			other.login[onlyLetters(id)] = true
		}
	}
	return exact, other
}

var german = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss")

func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// Enrol puts the students in the order of a list of participants, and gives a row to each who has
// handed in nothing. A number counts only with the name, since platforms have several kinds of
// numbers. Who is not on the list, or is one of several of a name, comes last, and the notes say so.
func (b *Book) Enrol(list []Participant) {
	of := make([]int, len(list)) // the student of each participant
	exact, other := make([]spelling, len(list)), make([]spelling, len(list))
	for i, p := range list {
		of[i] = -1
		exact[i], other[i] = p.spellings()
	}
	names := make([]callName, len(b.Students))
	for j, s := range b.Students {
		names[j] = compared(s.Name)
	}
	taken := make([]bool, len(b.Students))
	for _, is := range []func(i, j int) bool{
		func(i, j int) bool {
			return b.Students[j].ID != "" && slices.Contains(list[i].IDs, b.Students[j].ID) && (exact[i].is(names[j]) || other[i].is(names[j]))
		},
		func(i, j int) bool { return exact[i].is(names[j]) },
		func(i, j int) bool { return other[i].is(names[j]) },
	} {
		students := make([][]int, len(list))
		participants := make([]int, len(b.Students))
		for i := range list {
			for j := range b.Students {
				if of[i] < 0 && !taken[j] && is(i, j) {
					students[i] = append(students[i], j)
					participants[j]++
				}
			}
		}
		for i, found := range students {
			if len(found) == 1 && participants[found[0]] == 1 {
				of[i], taken[found[0]] = found[0], true
			}
		}
	}
	var all []Student
	for i, p := range list {
		if of[i] >= 0 {
			all = append(all, b.Students[of[i]])
		} else {
			all = append(all, Student{Name: p.Name, Notebooks: b.asked(), Notes: []string{"Nothing was handed in under this name."}})
		}
	}
	for j, s := range b.Students {
		if !taken[j] {
			s.Notes = append([]string{"This name is not on the list of participants, or more than once."}, s.Notes...)
			all = append(all, s)
		}
	}
	b.Students = all
}

// asked are the notebooks that the class is graded for, of nobody.
func (b *Book) asked() []Notebook {
	var list []Notebook
	if len(b.Students) == 0 {
		return nil
	}
	for _, nb := range b.Students[0].Notebooks {
		empty := Notebook{Name: nb.Name, Title: nb.Title}
		for _, q := range nb.Marks {
			empty.Marks = append(empty.Marks, Question{Mark: grade.Mark{Exercise: q.Exercise, Title: q.Title, Cell: q.Cell, Of: q.Of, State: grade.NotWritten, Why: "It was not handed in."}})
		}
		for _, w := range nb.Written {
			empty.Written = append(empty.Written, Written{Cell: w.Cell, Task: w.Task, Title: w.Title, Of: w.Of})
		}
		list = append(list, empty)
	}
	return list
}
