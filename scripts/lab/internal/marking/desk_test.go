package marking

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/gradebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/submission"
)

// desk has two equal answers, one other and one that was never written.
func desk(t *testing.T) (d *Desk, book *gradebook.Book, kept *[]gradebook.HandMark, address string) {
	t.Helper()
	book = &gradebook.Book{}
	for _, s := range []struct{ name, answer string }{{"Ada", "15"}, {"Bob", "15"}, {"Cy", ""}, {"Eve", "</script><img src=x onerror=alert(1)>"}} {
		w := gradebook.Written{Cell: "why", Task: 1, Title: "Which k?", Of: 3}
		if s.answer != "" {
			w.Answer = &submission.Text{Source: s.answer, Pictures: []notebook.Picture{{Type: "image/png", Data: []byte{1, 2, 3}}}}
		}
		book.Students = append(book.Students, gradebook.Student{Name: s.name, Notebooks: []gradebook.Notebook{{Name: "lab3/01", Written: []gradebook.Written{w}}}})
	}
	kept = &[]gradebook.HandMark{}
	d = New(book, []Task{{Notebook: "lab3/01", Cell: "why", Question: "Both help.\n\n### Question 3: which k? (3 points)\n\nChoose.", Worked: "15."}}, func(m gradebook.HandMark) error {
		if m.Comment == "full" {
			return errors.New("the disk is full")
		}
		*kept = append(*kept, m)
		return nil
	})
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return d, book, kept, server.URL
}

func ask(t *testing.T, method, url, body string, header map[string]string) (code int, text string, h http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range header {
		if k == "Host" {
			r.Host = v
		}
		r.Header.Set(k, v)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b), res.Header
}

func TestTasks(t *testing.T) {
	d, _, _, address := desk(t)
	_, text, h := ask(t, "GET", address+d.Path()+"tasks.json", "", nil)
	var tasks []struct {
		Title, Question, Worked string
		Of                      float64
		Answers                 []struct {
			Students, Pictures []string
			Source             string
			Marked             bool
		}
	}
	if err := json.Unmarshal([]byte(text), &tasks); err != nil || h.Get("Content-Type") != "application/json" {
		t.Fatalf("%v, %s", err, h.Get("Content-Type"))
	}
	if len(tasks) != 1 || tasks[0].Title != "Which k?" || tasks[0].Question != "Choose." || tasks[0].Of != 3 || tasks[0].Worked != "15." || len(tasks[0].Answers) != 2 {
		t.Fatalf("%+v", tasks)
	}
	if a := tasks[0].Answers[0]; !reflect.DeepEqual(a.Students, []string{"Ada", "Bob"}) || a.Source != "15" || a.Marked || a.Pictures[0] != "data:image/png;base64,AQID" {
		t.Errorf("%+v", a)
	}
	if strings.Contains(text, "<img") { // JSON in which < is an escape
		t.Errorf("markup of a student's in %s", text)
	}
}

// The page goes through the answers of all tasks, so that one task whose answers are null
// would stop it at every other as well.
func TestTaskThatNobodyAnswered(t *testing.T) {
	book := &gradebook.Book{Students: []gradebook.Student{{Name: "Cy", Notebooks: []gradebook.Notebook{
		{Name: "lab3/01", Written: []gradebook.Written{{Cell: "why", Task: 1, Title: "Which k?", Of: 3}}}}}}}
	d := New(book, []Task{{Notebook: "lab3/01", Cell: "why"}}, nil)
	server := httptest.NewServer(d)
	defer server.Close()
	_, text, _ := ask(t, "GET", server.URL+d.Path()+"tasks.json", "", nil)
	if !strings.Contains(text, `"answers":[]`) {
		t.Errorf("no empty list of answers in %s", text)
	}
}

// A mark is kept for each student of equal answers, and stands in the book.
func TestMark(t *testing.T) {
	d, book, kept, address := desk(t)
	d.now = func() time.Time { return time.Date(2026, 11, 29, 10, 0, 0, 7, time.UTC) }
	for _, tc := range []struct {
		name, body string
		code       int
		says       string
		kept       int
		points     float64 // of Bob, afterwards
	}{
		{"a mark", `{"task":0,"answer":0,"marked":true,"points":2.5,"comment":"good","by":"Al"}`, 200, `"version":1`, 2, 2.5},
		{"a mark of who has not seen that one", `{"task":0,"answer":0,"marked":true,"points":1,"comment":"","by":"Bo"}`, 409, `"points":2.5,"comment":"good","by":"Al","at":"2026-11-29T10:00:00Z","version":1`, 2, 2.5},
		{"taken back", `{"task":0,"answer":0,"version":1,"marked":false,"points":0,"comment":""}`, 200, `"version":2`, 4, 0},
		{"all points", `{"task":0,"answer":0,"version":2,"marked":true,"points":3,"comment":""}`, 200, `"version":3`, 6, 3},
		{"too many", `{"task":0,"answer":0,"marked":true,"points":3.5,"comment":""}`, 400, "between 0 and 3", 6, 3},
		{"too few", `{"task":0,"answer":0,"marked":true,"points":-1,"comment":""}`, 400, "between 0 and 3", 6, 3},
		{"no such answer", `{"task":0,"answer":2,"marked":true,"points":1,"comment":""}`, 400, "no such answer", 6, 3},
		{"no such task", `{"task":-1,"answer":0,"marked":true,"points":1,"comment":""}`, 400, "no such answer", 6, 3},
		{"no JSON", `points=3`, 400, "no mark", 6, 3},
		{"a field too many", `{"task":0,"answer":0,"student":"Eve"}`, 400, "no mark", 6, 3},
		{"a disk that is full", `{"task":0,"answer":0,"version":3,"marked":true,"points":1,"comment":"full"}`, 500, "the disk is full", 6, 3},
		{"a comment of 5,000 characters in 15,000 bytes", `{"task":0,"answer":0,"version":3,"marked":true,"points":3,"comment":"` + strings.Repeat("分", maxComment) + `"}`, 200, `"version":4`, 8, 3},
		{"a long comment", `{"task":0,"answer":0,"marked":true,"points":1,"comment":"` + strings.Repeat("x", maxComment+1) + `"}`, 400, "longer than 5000", 8, 3},
		{"a long name", `{"task":0,"answer":0,"version":4,"marked":true,"points":1,"comment":"","by":"` + strings.Repeat("x", maxBy+1) + `"}`, 400, "longer than 60", 8, 3},
		{"no end", `{"task":0,"answer":0,"comment":"` + strings.Repeat("x", 20*maxComment), 400, "no mark", 8, 3},
	} {
		code, text, _ := ask(t, "POST", address+d.Path()+"mark", tc.body, map[string]string{"Content-Type": "application/json"})
		if code != tc.code || !strings.Contains(text, tc.says) {
			t.Errorf("%s: %d %s", tc.name, code, text)
		}
		if len(*kept) != tc.kept || book.Students[1].Points() != tc.points {
			t.Errorf("%s: %d kept, %v points", tc.name, len(*kept), book.Students[1].Points())
		}
	}
	last := (*kept)[5]
	if last.Student != "Bob" || last.Notebook != "lab3/01" || last.Cell != "why" || last.Answer != book.Students[1].Notebooks[0].Written[0].Key() || last.Undone || last.By != "" || last.At.IsZero() || (*kept)[1].By != "Al" {
		t.Errorf("%+v", last)
	}
	if book.Waiting() != 1 {
		t.Errorf("%d wait", book.Waiting())
	}
}

// Only the page itself is served, to who knows its address.
func TestNobodyElse(t *testing.T) {
	d, _, kept, address := desk(t)
	const mark = `{"task":0,"answer":0,"marked":true,"points":1,"comment":""}`
	jsonType := map[string]string{"Content-Type": "application/json"}
	for _, tc := range []struct {
		name, method, path, body string
		header                   map[string]string
		code                     int
	}{
		{"the page", "GET", d.Path(), "", nil, 200},
		{"its script", "GET", d.Path() + "desk.js", "", nil, 200},
		{"its style", "GET", d.Path() + "desk.css", "", nil, 200},
		{"without the word", "GET", "/", "", nil, 404},
		{"with another word", "GET", "/AAAA/tasks.json", "", nil, 404},
		{"a mark without the word", "POST", "/mark", mark, jsonType, 404},
		{"by a name that leads here from elsewhere", "GET", d.Path() + "tasks.json", "", map[string]string{"Host": "evil.example:80"}, 404},
		{"a form of another page", "POST", d.Path() + "mark", mark, map[string]string{"Content-Type": "text/plain"}, 403},
		{"a script of another page", "POST", d.Path() + "mark", mark, map[string]string{"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"}, 403},
		{"another file", "GET", d.Path() + "desk.go", "", nil, 404},
		{"a way out", "GET", d.Path() + "..%2fdesk.go", "", nil, 404},
		{"another method", "DELETE", d.Path(), "", nil, 405},
	} {
		code, _, h := ask(t, tc.method, address+tc.path, tc.body, tc.header)
		if code != tc.code {
			t.Errorf("%s: %d, want %d", tc.name, code, tc.code)
		}
		if p := h.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'") {
			t.Errorf("%s: policy %q", tc.name, p)
		}
	}
	if len(*kept) != 0 {
		t.Errorf("%d marks", len(*kept))
	}
}
