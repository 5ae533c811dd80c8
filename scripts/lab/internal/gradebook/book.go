package gradebook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/grade"
)

// A Book is the grades of a class.
type Book struct {
	Students []Student `json:"students"` // by name and id
}

// A Student is one submission.
type Student struct {
	Name      string     `json:"name"`
	ID        string     `json:"id,omitempty"` // as the learning management system knows the student
	Late      bool       `json:"late,omitempty"`
	Notebooks []Notebook `json:"notebooks"` // those graded for the whole class, in reading order
	Notes     []string   `json:"notes,omitempty"`
}

// A Notebook is how one student's answers to one notebook were scored.
type Notebook struct {
	Name  string     `json:"name"`  // lab3/02_decision_trees
	Title string     `json:"title"` // Decision trees
	Marks []Question `json:"questions"`
	// Written are the answers that somebody marks by hand, one for each task.
	Written []Written `json:"written,omitempty"`
	Notes   []string  `json:"notes,omitempty"`
	// HandedIn says whether there was a file of this notebook that could be read.
	HandedIn bool `json:"handed_in"`
}

// A Question is the mark of one exercise.
type Question struct {
	grade.Mark
	// Mistake is what the catalogue of mistakes says of an answer that behaves like this
	// one: "This is what one gets when …". It is "" where it knows none.
	Mistake string `json:"mistake,omitempty"`
}

// Points is the sum of the student's points, to two decimals.
func (s Student) Points() float64 {
	sum := 0.0
	for _, nb := range s.Notebooks {
		sum += nb.Points()
	}
	return hundredths(sum)
}

// Of is the sum of the points that can be had.
func (s Student) Of() float64 {
	sum := 0.0
	for _, nb := range s.Notebooks {
		sum += nb.Of()
	}
	return hundredths(sum)
}

// Points is the sum of the points of the notebook's exercises and tasks, to two decimals.
func (n Notebook) Points() float64 {
	sum := 0.0
	for _, q := range n.Marks {
		sum += q.Points
	}
	for _, w := range n.Written {
		sum += w.Points
	}
	return hundredths(sum)
}

// Of is the sum of the points that the notebook's exercises and tasks give.
func (n Notebook) Of() float64 {
	sum := 0.0
	for _, q := range n.Marks {
		sum += q.Of
	}
	for _, w := range n.Written {
		sum += w.Of
	}
	return hundredths(sum)
}

func hundredths(v float64) float64 { return math.Round(v*100) / 100 }

// Sort puts the students in order: the same book whoever was graded first.
func (b *Book) Sort() {
	slices.SortStableFunc(b.Students, func(x, y Student) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID))
	})
}

// JSON is the whole book, which [Merge] reads.
func (b *Book) JSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(b)
	return out.Bytes(), err
}

// A Part is a book as a file holds it.
type Part struct {
	Name string // of the file
	JSON []byte
}

// Merge makes one book of those of several shards. Every student is in one of them, and
// all were graded for the same questions.
func Merge(parts ...Part) (*Book, error) {
	all := &Book{}
	from := map[[2]string]string{}
	asked, where := "", ""
	for _, p := range parts {
		var b Book
		d := json.NewDecoder(bytes.NewReader(p.JSON))
		d.DisallowUnknownFields()
		if err := d.Decode(&b); err != nil {
			return nil, fmt.Errorf("%s is no book of grades: %w", p.Name, err)
		}
		for _, s := range b.Students {
			key := [2]string{s.Name, s.ID}
			if other, twice := from[key]; twice {
				return nil, fmt.Errorf("%s and %s both grade %s; merge each shard once", other, p.Name, s.Name)
			}
			from[key] = p.Name
			if q := questions(s); where == "" {
				asked, where = q, p.Name
			} else if q != asked {
				return nil, fmt.Errorf("%s and %s were not graded for the same questions (%s); grade all shards with the same notebooks", where, p.Name, s.Name)
			}
		}
		all.Students = append(all.Students, b.Students...)
	}
	if len(parts) == 0 {
		return nil, errors.New("there is nothing to merge")
	}
	all.Sort()
	return all, nil
}

// questions names what a student was asked.
func questions(s Student) string {
	var b bytes.Buffer
	for _, nb := range s.Notebooks {
		fmt.Fprintf(&b, "%s:", nb.Name)
		for _, q := range nb.Marks {
			fmt.Fprintf(&b, " %s %v", q.Cell, q.Of)
		}
		for _, w := range nb.Written {
			fmt.Fprintf(&b, " %s %v", w.Cell, w.Of)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
