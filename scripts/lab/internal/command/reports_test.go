//go:build unix

package command

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/printing"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/run"
)

// newReporter works in a checkout of its own.
func newReporter(t *testing.T) (*reporter, *bytes.Buffer) {
	t.Helper()
	root := inCheckout(t, map[string]string{"notebooks/lab3/01_x.ipynb": emptyNotebook, ".lab/x": "", "go.sum": ""})
	var log bytes.Buffer
	e := &env{Project: project.Project{Root: root}, out: &log, err: &log}
	return &reporter{runner: runner{env: e}, printer: &printing.Printer{}, printed: map[string]printRecord{}}, &log
}

// A page and a PDF are made again when what they are made of has changed, or one of them
// is gone; what was said of them the first time is said again.
func TestKeepMakesWhatChanged(t *testing.T) {
	r, _ := newReporter(t)
	base := r.Path("dist", "lab3", "01_x")
	made := 0
	keep := func(key string, want int) {
		t.Helper()
		r.loadPrinted() // as another call of the tool would
		row := reportRow{html: "no", pdf: "no"}
		err := r.keep(t.Context(), &row, "lab3/01_x", key,
			func() (*export.Page, error) {
				return &export.Page{HTML: []byte("page " + key), Warnings: []string{"cell 1: odd"}}, nil
			},
			func() ([]byte, []string, error) {
				made++
				return []byte("PDF " + key), []string{"cell 1: odd", "cell 2: cut"}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		page, _ := os.ReadFile(base + ".html")
		pdf, _ := os.ReadFile(base + ".pdf")
		if string(page) != "page "+key || string(pdf) != "PDF "+key || row.html != "yes" || row.pdf != "yes" || made != want || !slices.Equal(row.notes, []string{"cell 1: odd", "cell 2: cut"}) {
			t.Errorf("page %q, PDF %q, row %+v, made %d times, want %d", page, pdf, row, made, want)
		}
	}
	keep("one", 1)
	keep("one", 1)
	keep("two", 2)
	for i, file := range []string{base + ".pdf", base + ".html"} {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		keep("two", 3+i)
	}
}

// What was noted of the pages may be damaged: they are made again then.
func TestDamagedNotes(t *testing.T) {
	r, _ := newReporter(t)
	for _, damaged := range []string{"", "{", "null", "[]", `{"a": null}`, `{"a": {"key": 1}}`} {
		if err := os.WriteFile(r.Lab("printed.json"), []byte(damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		r.loadPrinted()
		if got := r.printedAs("a").Key; got != "" {
			t.Errorf("%s: the key %q", damaged, got)
		}
		if err := r.notePrinted("a", printRecord{Key: "k"}); err != nil || r.printedAs("a").Key != "k" {
			t.Errorf("%s: %v", damaged, err)
		}
	}
}

func TestKeepWithoutPDF(t *testing.T) {
	r, _ := newReporter(t)
	base := r.Path("dist", "a")
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(base+".pdf", []byte("of an older page"), 0o644); err != nil {
		t.Fatal(err)
	}
	page := func() (*export.Page, error) { return &export.Page{HTML: []byte("page")}, nil }
	row := reportRow{}
	err := r.keep(t.Context(), &row, "a", "k", page, func() ([]byte, []string, error) { return nil, nil, errors.New("no paper") })
	if err != nil || r.failed != 1 || row.html != "yes" || row.pdf == "yes" || project.Exists(base+".pdf") || !slices.Equal(row.notes, []string{"no PDF: no paper"}) || r.printedAs("a").Key != "" {
		t.Errorf("failed %d, row %+v, %v", r.failed, row, err)
	}
	// What is no failure, as that a book is too large.
	row, r.failed = reportRow{}, 0
	err = r.keep(t.Context(), &row, "a", "k", page, func() ([]byte, []string, error) { return nil, []string{"too large"}, nil })
	if err != nil || r.failed != 0 || row.pdf != "no" || project.Exists(base+".pdf") || !slices.Equal(row.notes, []string{"too large"}) {
		t.Errorf("failed %d, row %+v, %v", r.failed, row, err)
	}
	row, r.printer = reportRow{}, nil
	if err := r.keep(t.Context(), &row, "a", "k2", page, nil); err != nil || row.html != "yes" || r.failed != 0 {
		t.Errorf("pages alone: %+v, %v", row, err)
	}
}

// A notebook needs no run if its outputs come from its cells, whether the last run was
// here or before it was committed.
func TestHave(t *testing.T) {
	r, _ := newReporter(t)
	r.sums = key.Sums{}
	nb := project.Notebook{Course: "lab3", Topic: "01_x", Path: r.Path("notebooks", "lab3", "01_x.ipynb")}
	one := 1
	worked := &notebook.Notebook{NBFormat: 4, NBFormatMinor: 5, Cells: []*notebook.Cell{{Type: "code", ID: "a", Source: "x := 1", ExecutionCount: &one}}}
	if err := worked.Stamp(); err != nil {
		t.Fatal(err)
	}
	have := func() string {
		t.Helper()
		b, err := worked.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(nb.Path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		got, from := r.have(nb, worked)
		if (got != nil) != (from != "") {
			t.Errorf("%v from %q", got, from)
		}
		return from
	}
	for name, text := range map[string]string{"notebooks/go.mod": "module m\n", "scripts/go.mod": "module m\n", "scripts/lab/internal/run/run.go": "package run\n", "notebooks/nbkit/harness/harness.go": "package harness\n"} {
		path := r.Path(filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if from := have(); from != "" {
		t.Errorf("never checked: %q", from)
	}
	k, err := r.keys().Notebook(worked, filepath.Dir(nb.Path))
	if err != nil {
		t.Fatal(err)
	}
	r.sums["lab3/01_x"] = "another"
	if from := have(); from != "" {
		t.Errorf("checked with other code: %q", from)
	}
	r.sums["lab3/01_x"] = k
	if from := have(); from != "committed" {
		t.Errorf("unchanged since it was committed: %q", from)
	}
	worked.Cells[0].Source = "x := 2"
	if from := have(); from != "" {
		t.Errorf("edited: %q", from)
	}
	// A run on this machine.
	b, err := worked.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if k, err = run.Key(r.keys(), worked, filepath.Dir(nb.Path)); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"01_x.ipynb": b, "01_x.key": []byte(k)} {
		if err := os.MkdirAll(r.Lab("runs", "lab3"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.Lab("runs", "lab3", name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if from := have(); from != "unchanged" {
		t.Errorf("run here: %q", from)
	}
}

func TestOutputsFallBackToTheCommitted(t *testing.T) {
	fresh := &notebook.Notebook{}
	for _, c := range []struct {
		name     string
		lacks    string
		err      error
		ran      bool
		outputs  string
		note     string // in the note on the page
		failures int
	}{
		{"ran", "", nil, true, "ran", "", 0},
		{"unchanged", "", nil, false, "unchanged", "", 0},
		{"no peers", "Python's scikit-learn is missing", nil, true, "old", "scikit-learn is missing", 0},
		{"failed", "", errors.New("cell 3 failed\nlong story"), true, "FAILED", "last run failed", 1},
		{"no kernel", "the kernel cannot be run", nil, false, "old", "here the kernel cannot be run", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _ := newReporter(t)
			committed := &notebook.Notebook{}
			row := reportRow{}
			res, note := r.outputs(&row, committed, c.lacks, runResult{notebook: fresh, ran: c.ran, err: c.err})
			if row.outputs != c.outputs || !strings.Contains(note, c.note) || (note == "") != (c.note == "") || r.failed != c.failures || (res == fresh) != (c.note == "") {
				t.Errorf("row %+v, note %q, failures %d", row, note, r.failed)
			}
			if strings.Contains(strings.Join(row.notes, ""), "long story") {
				t.Errorf("notes %v", row.notes)
			}
		})
	}
}
