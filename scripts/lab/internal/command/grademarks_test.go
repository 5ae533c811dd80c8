//go:build !handout && !light

package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A said is what a command has printed, which may still run.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

var deskAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+/\w+/`)

// Written answers are marked on the page, and later runs know the marks. Oracle: the marks
// that are given.
func TestMarkByHand(t *testing.T) {
	if testing.Short() {
		t.Skip("grades twice")
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "grades.csv")
	handIn := func(student, answer string) {
		h := perfect(t)
		if answer != "" {
			h.set("answer-choose", answer)
		}
		at := filepath.Join(in, student)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "01.ipynb"), h.json(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	handIn("Ada", "15, for its error rate.")
	handIn("Bob", "15, for its error rate.")
	handIn("Cy", "")
	handIn("Eve", "1, because it is the least.")
	// column is that of the written answer, by student.
	column := func() string {
		t.Helper()
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, r := range rows[1:] {
			list = append(list, r[0]+"="+r[len(r)-2])
		}
		return strings.Join(list, " ")
	}

	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	var s said
	ended := make(chan int)
	go func() { ended <- Main(ctx, []string{"grade", in, "--out", out, "--mark", "--unsafe"}, &s, &s) }()
	address := ""
	for address == "" {
		select {
		case code := <-ended:
			t.Fatalf("it ended with %d:\n%s", code, &s)
		case <-time.After(50 * time.Millisecond):
			address = deskAddress.FindString(s.String())
		}
	}
	if got := column(); got != "Ada= Bob= Cy=0 Eve=" {
		t.Errorf("before: %s", got)
	}
	res, err := http.Post(address+"mark", "application/json", strings.NewReader(`{"task":0,"answer":0,"marked":true,"points":2.5,"comment":"And 41?"}`))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("status %d", res.StatusCode)
	}
	interrupt()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d:\n%s", code, &s)
	}
	if got := column(); got != "Ada=2.5 Bob=2.5 Cy=0 Eve=" {
		t.Errorf("marked: %s", got)
	}

	// Bob hands in another answer.
	handIn("Bob", "41, for its map.")
	feedback := filepath.Join(dir, "feedback")
	if code, text := gradeInto(t, in, "--out", out, "--unsafe", "--feedback", feedback); code != 0 || !strings.Contains(text, "2 written answers still to be marked") {
		t.Errorf("exit code %d:\n%s", code, text)
	}
	if got := column(); got != "Ada=2.5 Bob= Cy=0 Eve=" {
		t.Errorf("again: %s", got)
	}
	page, err := os.ReadFile(filepath.Join(feedback, "Ada.html"))
	if err != nil || !strings.Contains(string(page), "And 41?") {
		t.Errorf("no comment on the page, %v", err)
	}
	for _, args := range [][]string{{"--shard", "1/2"}, {"--student", "Ada"}} {
		if code, text := gradeInto(t, append([]string{in, "--out", filepath.Join(dir, "x.json"), "--mark"}, args...)...); code != 2 || !strings.Contains(text, "--mark shows the answers of the whole class") {
			t.Errorf("%v: exit code %d:\n%s", args, code, text)
		}
	}
}
