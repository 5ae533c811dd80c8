//go:build unix

package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/pdf"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// newReporter works in a checkout of its own with a shell script for a browser,
// which notes each call in the file prints.
func newReporter(t *testing.T, script string) (*reporter, *bytes.Buffer) {
	t.Helper()
	root := inCheckout(t, map[string]string{"notebooks/lab3/01_x.ipynb": emptyNotebook, ".lab/x": ""})
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

const printWhole = `printf '%%PDF-1.4\n%%%%EOF\n' > "$out"`

func TestWritePrintsWhatChanged(t *testing.T) {
	r, _ := newReporter(t, printWhole)
	ctx, base := context.Background(), r.Path("dist", "lab3", "01_x")
	write := func(page string, prints int) {
		t.Helper()
		r.loadPrinted() // as another call of the tool would
		row := reportRow{html: "no", pdf: "no"}
		if err := r.write(ctx, &row, base, &export.Page{HTML: []byte(page)}, nil); err != nil {
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
	if err := os.Remove(base + ".pdf"); err != nil {
		t.Fatal(err)
	}
	write("two", 3)
}

func TestWriteWithoutPDF(t *testing.T) {
	r, _ := newReporter(t, "echo no >&2; exit 1")
	base := r.Path("dist", "a")
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(base+".pdf", []byte("of an older page"), 0o644); err != nil {
		t.Fatal(err)
	}
	row := reportRow{}
	if err := r.write(context.Background(), &row, base, &export.Page{HTML: []byte("page")}, nil); err != nil {
		t.Fatal(err)
	}
	if r.failed != 1 || row.html != "yes" || row.pdf == "yes" || project.Exists(base+".pdf") || !strings.Contains(strings.Join(row.notes, ""), "no PDF") {
		t.Errorf("failed %d, row %+v", r.failed, row)
	}
	r.printer, r.failed = nil, 0
	row = reportRow{}
	if err := r.write(context.Background(), &row, base, &export.Page{HTML: []byte("page")}, nil); err != nil || row.html != "yes" || r.failed != 0 {
		t.Errorf("without a browser: %+v, %v", row, err)
	}
}

// The book is printed again with page numbers, and a third time only if these
// moved something.
func TestBookIsPrintedAgain(t *testing.T) {
	r, _ := newReporter(t, `printf '%%PDF-1.4\n2 0 obj\n<</Type /Page\n/Parent 1 0 R>>\nendobj\n1 0 obj\n<</Type /Pages\n/Kids [2 0 R]>>\nendobj\n3 0 obj\n<</ch [2 0 R /XYZ 0 0 0]>>\nendobj\n%%%%EOF\n' > "$out"`)
	base := r.Path("dist", "mllabs")
	row := reportRow{}
	err := r.write(context.Background(), &row, base, &export.Page{HTML: []byte("no numbers")}, func(pageOf func(string) int) (*export.Page, error) {
		return &export.Page{HTML: fmt.Appendf(nil, "chapter on page %d, other on %d", pageOf("ch"), pageOf("other"))}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(base + ".html"); err != nil || string(b) != "chapter on page 1, other on 0" || r.prints() != 2 {
		t.Errorf("page %q after %d prints, %v", b, r.prints(), err)
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
		{"data missing", `{"mllabs": {"data": ["letter"]}}`, nil, true, "committed", "data set letter is missing", 0},
		{"failed", "{}", errors.New("cell 3 failed\nlong story"), true, "FAILED", "last run failed", 1},
		{"no set-up", "{}", errSetUp, false, "committed", "cannot run notebooks", 0},
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
			lacks, err := r.wants(context.Background(), needs, committed)
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
