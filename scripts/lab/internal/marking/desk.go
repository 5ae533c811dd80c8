package marking

import (
	"bytes"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"math"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/gradebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

//go:embed web
var web embed.FS

var page = template.Must(template.ParseFS(web, "web/desk.html"))

// A Task is what the desk shows beside the answers to one task.
type Task struct {
	Notebook, Cell string
	Question       string // the text that sets it, with its rubric, in markdown
	Worked         string // the worked answer
}

// heading is what a question begins with: its heading, which the page has of its own, and
// what the cell says before it about something else.
var heading = regexp.MustCompile(`(?ms)\A.*^### [^\n]* \(\d+ points?\)[ \t]*$`)

// A Desk serves the page. Only who knows its address gets anything.
type Desk struct {
	save func(gradebook.HandMark) error
	now  func() time.Time
	word string

	mu    sync.Mutex // guards what follows
	tasks []*task
}

// A task is a task as the page gets it.
type task struct {
	Notebook string  `json:"notebook"`
	Title    string  `json:"title"`
	Question string  `json:"question"`
	Worked   string  `json:"worked"`
	Of       float64 `json:"of"`
	Answers  []*pile `json:"answers"`

	cell string
}

// A pile is equal answers, which are marked at once.
type pile struct {
	Students []string `json:"students"`
	Source   string   `json:"source"`
	Pictures []string `json:"pictures,omitempty"` // data: addresses
	Cut      bool     `json:"cut,omitempty"`
	Before   string   `json:"before,omitempty"`
	state
	marks []*marked // of the students
}

// A state is what was last given to a pile: who marks it has to have seen that.
type state struct {
	Marked  bool      `json:"marked"`
	Points  float64   `json:"points"`
	Comment string    `json:"comment"`
	By      string    `json:"by,omitempty"` // as they call themselves
	At      time.Time `json:"at,omitzero"`
	Version int       `json:"version"` // counts the marks since lab grade was started
}

type marked struct {
	name, id string
	*gradebook.Written
}

// New makes the desk for the written answers of a book. save keeps a mark; once it has
// returned nil, the book has the mark as well.
func New(book *gradebook.Book, tasks []Task, save func(gradebook.HandMark) error) *Desk {
	d := &Desk{save: save, now: time.Now, word: rand.Text()}
	for _, t := range tasks {
		// Answers that nobody gave are an empty list on the page, and no null.
		out := &task{Notebook: t.Notebook, Answers: []*pile{}, Question: strings.TrimSpace(heading.ReplaceAllString(t.Question, "")), Worked: t.Worked, cell: t.Cell}
		piles := map[string]*pile{}
		for i := range book.Students {
			s := &book.Students[i]
			for j := range s.Notebooks {
				nb := &s.Notebooks[j]
				for k := range nb.Written {
					w := &nb.Written[k]
					if nb.Name != t.Notebook || w.Cell != t.Cell {
						continue
					}
					out.Title, out.Of = w.Title, w.Of
					if w.Answer != nil {
						out.add(piles, &marked{s.Name, s.ID, w})
					}
				}
			}
		}
		d.tasks = append(d.tasks, out)
	}
	return d
}

// add puts an answer on the pile of those that are equal and equally marked.
func (t *task) add(piles map[string]*pile, m *marked) {
	key := fmt.Sprintf("%s %v %v %q %q", m.Key(), m.Marked, m.Points, m.Comment, m.Before)
	p := piles[key]
	if p == nil {
		p = &pile{Source: m.Answer.Source, Cut: m.Answer.Cut, Before: m.Before, state: state{Marked: m.Marked, Points: m.Points, Comment: m.Comment, By: m.By, At: m.At}}
		for _, picture := range m.Answer.Pictures {
			p.Pictures = append(p.Pictures, address(picture))
		}
		piles[key] = p
		t.Answers = append(t.Answers, p)
	}
	p.Students = append(p.Students, m.name)
	p.marks = append(p.marks, m)
}

func address(p notebook.Picture) string {
	return "data:" + p.Type + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// Path is where the page is.
func (d *Desk) Path() string { return "/" + d.word + "/" }

// ServeHTTP serves the page, what it shows, and takes marks. A page of another origin, and
// a name that leads to this machine from elsewhere, get nothing.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	name, known := strings.CutPrefix(r.URL.Path, d.Path())
	if !known || !local(r.Host) {
		http.Error(w, "There is nothing here. The address that lab grade printed ends in a word of its own.", http.StatusNotFound)
		return
	}
	switch {
	case name == "mark" && r.Method == http.MethodPost:
		d.mark(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "This can only be read.", http.StatusMethodNotAllowed)
	case name == "":
		d.page(w)
	case name == "tasks.json":
		h.Set("Content-Type", "application/json")
		d.mu.Lock()
		defer d.mu.Unlock()
		json.NewEncoder(w).Encode(d.tasks) // who went away need not be told
	case name == "desk.js", name == "desk.css":
		http.ServeFileFS(w, r, web, "web/"+name)
	default:
		http.NotFound(w, r)
	}
}

// local reports whether a host is this machine by one of its own names.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	return err == nil && (name == "127.0.0.1" || name == "localhost" || name == "::1")
}

func (d *Desk) page(w http.ResponseWriter) {
	var b bytes.Buffer
	if err := page.Execute(&b, nil); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}

// A request gives a mark to a pile, or takes it back.
type request struct {
	Task    int     `json:"task"` // from 0
	Answer  int     `json:"answer"`
	Marked  bool    `json:"marked"`
	Points  float64 `json:"points"`
	Comment string  `json:"comment"`
	By      string  `json:"by"`
	// Version is that of the state which the page showed. A mark that somebody else has given
	// since is not overwritten: the page gets it, and its reader chooses.
	Version int `json:"version"`
}

const (
	maxComment = 5_000 // characters, as in desk.js
	maxBy      = 60
)

func (d *Desk) mark(w http.ResponseWriter, r *http.Request) {
	// What another site's form or script can send without being asked first is none of these.
	if kind := r.Header.Get("Content-Type"); kind != "application/json" || r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		http.Error(w, "a mark is sent by the page itself", http.StatusForbidden)
		return
	}
	var q request
	in := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16*maxComment))
	in.DisallowUnknownFields()
	if err := in.Decode(&q); err != nil {
		http.Error(w, "this is no mark: "+err.Error(), http.StatusBadRequest)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	p, err := d.asked(q)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	code := http.StatusOK
	if q.Version != p.Version {
		code = http.StatusConflict
	} else if err := d.give(p, q); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(p.state) // who went away need not be told
}

// asked is the pile that a request is about.
func (d *Desk) asked(q request) (*pile, error) {
	if q.Task < 0 || q.Task >= len(d.tasks) || q.Answer < 0 || q.Answer >= len(d.tasks[q.Task].Answers) {
		return nil, errors.New("there is no such answer; load the page again")
	}
	t := d.tasks[q.Task]
	switch {
	case math.IsNaN(q.Points) || q.Points < 0 || q.Points > t.Of:
		return nil, fmt.Errorf("the task gives between 0 and %v points", t.Of)
	case utf8.RuneCountInString(q.By) > maxBy:
		return nil, fmt.Errorf("your name is longer than %d characters", maxBy)
	case utf8.RuneCountInString(q.Comment) > maxComment:
		return nil, fmt.Errorf("the comment is longer than %d characters", maxComment)
	}
	return t.Answers[q.Answer], nil
}

// give keeps a mark for each student of a pile. Where not all can be kept, the pile is
// shown as it was; the same mark, given again, is kept for all of them.
func (d *Desk) give(p *pile, q request) error {
	at := d.now().UTC().Truncate(time.Second)
	for _, m := range p.marks {
		mark := gradebook.HandMark{Student: m.name, ID: m.id, Notebook: d.tasks[q.Task].Notebook, Cell: d.tasks[q.Task].cell, Answer: m.Key(),
			Points: q.Points, Comment: q.Comment, Undone: !q.Marked, By: q.By, At: at}
		if err := d.save(mark); err != nil {
			return err
		}
		m.Apply(mark)
	}
	p.state = state{Marked: q.Marked, Points: q.Points, Comment: q.Comment, By: q.By, At: at, Version: p.Version + 1}
	return nil
}
