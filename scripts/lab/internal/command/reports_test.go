//go:build unix

package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/pdf"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/run"
)

// newReporter works in a checkout of its own with a shell script for a browser,
// which notes each call in the file prints.
func newReporter(t *testing.T, script string) (*reporter, *bytes.Buffer) {
	t.Helper()
	root := inCheckout(t, map[string]string{"notebooks/lab3/01_x.ipynb": emptyNotebook, ".lab/x": "", "go.sum": ""})
	browser := filepath.Join(root, "browser")
	text := "#!/bin/sh\nfor a; do case $a in --print-to-pdf=*) out=${a#*=};; esac; done\necho x >> " + root + "/prints\n" + script
	if err := os.WriteFile(browser, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	e := &env{Project: project.Project{Root: root}, out: &log, err: &log}
	return &reporter{env: e, printer: &pdf.Printer{Browser: browser}, printed: map[string]string{}}, &log
}

func (r *reporter) prints() int {
	b, _ := os.ReadFile(r.Path("prints"))
	return bytes.Count(b, []byte("x"))
}

const (
	nothing = `printf '%%PDF-1.4\n%%%%EOF\n' > "$out"`
	// A page that a browser has printed, with the headings Second and There.
	printWhole = `cp "$SECOND" "$out"`
)

// second is what the browser prints.
func second(t *testing.T) []export.Heading {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "pdf", "testdata", "second.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SECOND", path)
	return []export.Heading{{Level: 1, ID: "second", Text: "Second"}, {Level: 2, ID: "there", Text: "There"}}
}

func TestWritePrintsWhatChanged(t *testing.T) {
	headings := second(t)
	r, _ := newReporter(t, printWhole)
	ctx, base := context.Background(), r.Path("dist", "lab3", "01_x")
	part := &pdf.Part{File: r.Lab("print", "lab3", "01_x.pdf"), Name: "lab3/01_x"}
	write := func(page string, prints int) {
		t.Helper()
		r.loadPrinted() // as another call of the tool would
		row := reportRow{html: "no", pdf: "no"}
		if err := r.write(ctx, &row, part, &export.Page{HTML: []byte(page), Headings: headings}); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(base + ".html")
		if err != nil || string(b) != page || row.html != "yes" || row.pdf != "yes" || r.prints() != prints {
			t.Errorf("page %q, row %+v, %d prints, want %d, error %v", b, row, r.prints(), prints, err)
		}
	}
	write("one", 1)
	write("one", 1)
	write("two", 2)
	for i, file := range []string{base + ".pdf", part.File, base + ".html"} {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		write("two", 3+i)
	}
}

func TestWriteWithoutPDF(t *testing.T) {
	for _, c := range []struct{ name, script string }{{"browser fails", "echo no >&2; exit 1"}, {"no PDF", nothing}} {
		t.Run(c.name, func(t *testing.T) {
			r, _ := newReporter(t, c.script)
			base := r.Path("dist", "a")
			if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(base+".pdf", []byte("of an older page"), 0o644); err != nil {
				t.Fatal(err)
			}
			part := &pdf.Part{File: r.Lab("print", "a.pdf"), Name: "a"}
			row := reportRow{}
			if err := r.write(context.Background(), &row, part, &export.Page{HTML: []byte("page")}); err != nil {
				t.Fatal(err)
			}
			if r.failed != 1 || row.html != "yes" || row.pdf == "yes" || project.Exists(base+".pdf") || !strings.Contains(strings.Join(row.notes, ""), "no PDF") || r.printedAs("a") != "" {
				t.Errorf("failed %d, row %+v", r.failed, row)
			}
			r.printer, r.failed = nil, 0
			row = reportRow{}
			if err := r.write(context.Background(), &row, part, &export.Page{HTML: []byte("page")}); err != nil || row.html != "yes" || r.failed != 0 {
				t.Errorf("without a browser: %+v, %v", row, err)
			}
		})
	}
}

// For the book nothing is printed but what stands in front, and that again only when
// something in the book has changed.
func TestBookIsPutTogether(t *testing.T) {
	second(t)
	r, _ := newReporter(t, printWhole)
	nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: "markdown", Source: "# Second\n\n## There"}}}
	var sources []export.Source
	var parts []*pdf.Part
	add := func(topic string, printed bool) {
		s := export.Source{Course: "lab3", Topic: topic, Notebook: nb, Root: r.Root}
		page, err := export.Single(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		part := &pdf.Part{File: r.Lab("print", "lab3", topic+".pdf"), Name: "lab3/" + topic, Group: "Lab 3", Headings: pdfHeadings(page.Headings)}
		sources, parts = append(sources, s), append(parts, part)
		if printed {
			if err := r.write(context.Background(), &reportRow{}, part, page); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("01_x", true)
	add("02_y", true)
	add("03_z", false) // could not be printed
	for call, prints := range []int{3, 3, 4} {
		if call == 2 {
			sources, parts = sources[:2], parts[:2]
		}
		row, err := r.book(context.Background(), export.BookInfo{}, sources, parts)
		if err != nil || row.html != "yes" || row.pdf != "yes" || r.prints() != prints || r.failed > 0 {
			t.Errorf("call %d: row %+v after %d prints, %d failures, %v", call, row, r.prints(), r.failed, err)
		}
		if without := strings.Contains(strings.Join(row.notes, ""), "goes without lab3/03_z"); without != (call < 2) {
			t.Errorf("call %d: notes %q", call, row.notes)
		}
		pages, _, err := (&pdf.Part{File: r.Path("dist", "mllabs.pdf")}).Places()
		if err != nil || pages != 3 {
			t.Errorf("call %d: the book has %d pages, %v", call, pages, err)
		}
	}
}

// A notebook needs no run if its outputs come from its cells, whether the last run was
// here or before it was committed.
func TestHave(t *testing.T) {
	r, _ := newReporter(t, nothing)
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
	key, err := run.Key(r.Project, b)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"01_x.ipynb": b, "01_x.key": []byte(key)} {
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

var errSetUp = errors.New("set-up: no Python")

func TestOutputsFallBackToTheCommitted(t *testing.T) {
	fresh := &notebook.Notebook{}
	for _, c := range []struct {
		name     string
		meta     string
		err      error
		ran      bool
		outputs  string
		note     string // in the note on the page
		failures int
	}{
		{"ran", "{}", nil, true, "ran", "", 0},
		{"unchanged", "{}", nil, false, "unchanged", "", 0},
		{"data missing", `{"mllabs": {"data": ["letter"]}}`, nil, true, "old", "data set letter is missing", 0},
		{"failed", "{}", errors.New("cell 3 failed\nlong story"), true, "FAILED", "last run failed", 1},
		{"no set-up", "{}", errSetUp, false, "old", "cannot run notebooks", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _ := newReporter(t, printWhole)
			nb := project.Notebook{Course: "lab3", Topic: "01_x", Path: r.Path("notebooks", "lab3", "01_x.ipynb")}
			if err := os.WriteFile(nb.Path, []byte(strings.Replace(emptyNotebook, "{}", c.meta, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			if c.err == errSetUp {
				r.cannot = errSetUp
			}
			needs := r.newNeeder()
			needs.data["letter"] = "nowhere"
			_, committed, _ := r.read([]project.Notebook{nb})
			lacks, err := r.wants(context.Background(), needs, committed, make([]*notebook.Notebook, 1))
			if err != nil {
				t.Fatal(err)
			}
			row := reportRow{}
			res, note := r.outputs(&row, committed[0], lacks[0], runResult{notebook: fresh, ran: c.ran, err: c.err})
			if row.outputs != c.outputs || !strings.Contains(note, c.note) || (note == "") != (c.note == "") || r.failed != c.failures || (res == fresh) != (c.note == "") {
				t.Errorf("row %+v, note %q, failures %d", row, note, r.failed)
			}
			if strings.Contains(strings.Join(row.notes, ""), "long story") {
				t.Errorf("notes %v", row.notes)
			}
		})
	}
}
