package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// committed is a notebook's file, in canonical form, that has these cells after its
// title and imports.
func committed(t *testing.T, name string, meta map[string]any, cells ...*notebook.Cell) string {
	t.Helper()
	nb := &notebook.Notebook{Metadata: map[string]any{"mllabs": meta}, Cells: append([]*notebook.Cell{
		{Type: "markdown", Source: "# A title\n\nWhat the reader will learn."},
		{Type: "code", Source: "import (\n\t\"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n)\n\nvar _ = nbkit.Notebook(\"" + name + "\")"},
	}, cells...)}
	nb.Canonicalise()
	if err := nb.Stamp(); err != nil {
		t.Fatal(err)
	}
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What leaves the pattern fails a notebook of the second edition, and is counted for
// one of the first; the table has both, where names are given.
func TestCheckPattern(t *testing.T) {
	second, first := map[string]any{}, map[string]any{"edition": 1}
	long := func() []*notebook.Cell {
		return []*notebook.Cell{
			{Type: "markdown", Source: "It is 0.73."},
			{Type: "code", Source: strings.Repeat("f()\n", 21)},
		}
	}
	inCheckout(t, map[string]string{
		"notebooks/nbkit/doc.go":       "package nbkit\n",
		"notebooks/00_good.ipynb":      committed(t, "00_good", second),
		"notebooks/lab3/01_long.ipynb": committed(t, "lab3/01_long", second, long()...),
		"notebooks/lab3/02_old.ipynb":  committed(t, "lab3/02_old", first, long()...),
		"notebooks/lab3/03_link.ipynb": committed(t, "lab3/03_link", second, &notebook.Cell{Type: "markdown", Source: "[there](04_none.ipynb)"}),
	})
	if code, out, _ := call(t, "exercises", "00_good"); code != OK {
		t.Fatalf("code %d, %s", code, out)
	}
	code, out, errs := call(t, "check", "--no-run", "00_good", "lab3")
	if code != Failed || errs != "" {
		t.Errorf("code %d, %s", code, errs)
	}
	for _, want := range []string{
		"ok   00_good (looked at)\n",
		"FAIL lab3/01_long (looked at)\n    cell 3 (id cell-03): says 0.73, which no output",
		"    cell 4 (id cell-04): has 21 lines, 20 at most",
		"ok   lab3/02_old (looked at)\n",
		"FAIL lab3/03_link (looked at)\n    cell 3: link 04_none.ipynb leads nowhere",
		"\n(second edition)  12-40  ≤ 6 / 14 / 20",
		"\n00_good               1  3 / 3 / 3 ",
		"\nlab3/02_old           2  12 / 21 / 21             6        0.5          0       0          0  first edition, 2 departures from the pattern\n",
		"notebooks: 2 passed, 2 failed, 0 not run",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if _, out, _ := call(t, "check", "--no-run"); strings.Contains(out, "(second edition)") {
		t.Errorf("a table without names\n%s", out)
	}
}

// Copies are written, found current, and found old; one whose notebook is gone is
// named.
func TestCopies(t *testing.T) {
	asked := func(answer string) string {
		return committed(t, "lab3/01_asked", map[string]any{},
			&notebook.Cell{Type: "markdown", Source: "### Question 1\n\nWhy?"},
			&notebook.Cell{Type: "markdown", Source: answer, Metadata: map[string]any{"tags": []any{"answer"}}})
	}
	root := inCheckout(t, map[string]string{
		"notebooks/nbkit/doc.go":        "package nbkit\n",
		"notebooks/lab3/01_asked.ipynb": asked("Because."),
		"notebooks/lab3/02_old.ipynb":   committed(t, "lab3/02_old", map[string]any{"edition": 1}),
	})
	copied := filepath.Join(root, "notebooks", "lab3", "exercises", "01_asked.ipynb")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(code int, part string, args ...string) {
		t.Helper()
		got, out, errs := call(t, args...)
		if got != code || !strings.Contains(out+errs, part) {
			t.Errorf("lab %v: code %d, no %q in\n%s%s", args, got, part, out, errs)
		}
	}
	expect(Failed, "notebooks/lab3/exercises/01_asked.ipynb is not the students' copy of this notebook; lab exercises lab3/01_asked writes it", "check", "--no-run")
	expect(OK, "notebooks/lab3/exercises/01_asked.ipynb  0 exercises, 0 points, written", "exercises")
	expect(OK, "0 points, unchanged", "exercises")
	expect(OK, "2 passed, 0 failed", "check", "--no-run")
	nb, err := notebook.Read(copied)
	if err != nil || !slices.ContainsFunc(nb.Cells, exercise.IsPlace) {
		t.Errorf("%v, %+v", err, nb)
	}

	// Another answer is no other copy; another question is.
	write(filepath.Join(root, "notebooks", "lab3", "01_asked.ipynb"), asked("For a reason."))
	expect(OK, "2 passed, 0 failed", "check", "--no-run")
	write(copied, strings.Replace(asked(""), "Why?", "How?", 1))
	expect(Failed, "is not the students' copy", "check", "--no-run")

	expect(Failed, "lab3/02_old is of the first edition", "exercises", "lab3/02_old")
	write(filepath.Join(root, "notebooks", "lab3", "exercises", "02_old.ipynb"), "{}")
	expect(Failed, "FAIL notebooks/lab3/exercises/02_old.ipynb (the copy of no notebook", "check", "--no-run")

	// What cannot be copied leaves the copy as it was.
	write(copied, "mine")
	write(filepath.Join(root, "notebooks", "lab3", "01_asked.ipynb"), committed(t, "lab3/01_asked", map[string]any{},
		&notebook.Cell{Type: "markdown", Source: "One."}, &notebook.Cell{Type: "code", Source: "var k = 1"},
		&notebook.Cell{Type: "markdown", Source: "Two."}, &notebook.Cell{Type: "code", Source: "var k = 2"}))
	expect(Failed, "line 1 declares k again, which cell 4 (id cell-04) declares", "exercises")
	if b, err := os.ReadFile(copied); err != nil || string(b) != "mine" {
		t.Errorf("the copy is %s, %v", b, err)
	}
	expect(Failed, "--out names no folder", "exercises", "--out", "")
	expect(Failed, "has files in it", "exercises", "--out", filepath.Join(root, "notebooks"))

	// A folder that was handed out has nothing but copies.
	for _, name := range []string{"01_asked.ipynb", "02_old.ipynb"} {
		if err := os.Remove(filepath.Join(root, "notebooks", "lab3", name)); err != nil {
			t.Fatal(err)
		}
	}
	expect(OK, "0 passed, 0 failed", "check", "--no-run")
}

// The exercises are compiled before their copy is written, and not again while nothing
// changes; another solution is compiled again.
func TestExercisesAreCompiled(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	worked, err := os.ReadFile(filepath.Join(wd, "..", "exercise", "testdata", "rates.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	root := inCheckout(t, map[string]string{"notebooks/lab/01_rates.ipynb": string(worked)})
	for _, name := range []string{"go.mod", "go.sum", "mlcore", "datasets", "notebooks/go.mod", "notebooks/go.sum", "notebooks/atomicfile", "notebooks/nbkit", "notebooks/closure", "scripts"} {
		link := filepath.Join(root, filepath.FromSlash(name))
		os.Remove(link)
		if err := os.Symlink(filepath.Join(wd, "..", "..", "..", "..", filepath.FromSlash(name)), link); err != nil {
			t.Skip("no links to put a checkout together with: ", err)
		}
	}
	exercises := func(code int, part string) {
		t.Helper()
		got, out, errs := call(t, "exercises")
		if got != code || !strings.Contains(out+errs, part) {
			t.Errorf("code %d, no %q in\n%s%s", got, part, out, errs)
		}
	}
	stamp := filepath.Join(root, ".lab", "exercises", "lab", "01_rates.key")
	copied := filepath.Join(root, "notebooks", "lab", "exercises", "01_rates.ipynb")
	exercises(OK, "2 exercises, 3 points, written")
	first, err := os.Stat(stamp)
	if err != nil {
		t.Fatal(err)
	}
	exercises(OK, "2 exercises, 3 points, unchanged")
	if again, err := os.Stat(stamp); err != nil || !again.ModTime().Equal(first.ModTime()) {
		t.Errorf("compiled again, %v", err)
	}
	before, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(worked), "mistakes++", "mistakes--", 1)
	if err := os.WriteFile(filepath.Join(root, "notebooks", "lab", "01_rates.ipynb"), []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	exercises(Failed, "cell 6 (id rate-check): exercise 1: the worked solution passes 1 of 2 cases: half: ")
	if after, err := os.ReadFile(copied); err != nil || string(after) != string(before) {
		t.Errorf("the copy was changed, %v", err)
	}
}
