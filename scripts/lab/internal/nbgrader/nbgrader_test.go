//go:build unix

package nbgrader

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// rates is the small worked notebook of package exercise, whose two answers somebody
// grades by hand, and its copy.
func rates(t *testing.T) (worked, copied *notebook.Notebook) {
	t.Helper()
	nb, err := notebook.Read("../exercise/testdata/rates.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"answer", "try"} {
		cell(t, nb, id).Metadata["nbgrader"] = map[string]any{"points": 2}
	}
	nb.Canonicalise()
	return nb, exercise.Copy("lab/01_rates", nb, exercise.Links{Alone: true, HasCopy: func(string) bool { return false }})
}

func cell(t *testing.T, nb *notebook.Notebook, id string) *notebook.Cell {
	t.Helper()
	for _, c := range nb.Cells {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no cell %s", id)
	return nil
}

// Only cells that nbgrader or a student may not have as they are carry both texts.
func TestSource(t *testing.T) {
	worked, copied := rates(t)
	source := Source(worked, copied)
	for i, c := range source.Cells {
		own, _ := c.Metadata["mllabs"].(map[string]any)
		switch c.ID {
		case "rate", "rate-check", "mean", "mean-check", "try", "answer":
			if c.Source != worked.Cells[i].Source || own["copy"] != copied.Cells[i].Source {
				t.Errorf("%s: %q, copy %q", c.ID, c.Source, own["copy"])
			}
		default:
			if c.Source != copied.Cells[i].Source || own != nil {
				t.Errorf("%s: %q, metadata %v", c.ID, c.Source, c.Metadata)
			}
		}
		if len(c.Outputs) > 0 || copied.Cells[i].Metadata["mllabs"] != nil {
			t.Errorf("%s: outputs %v, metadata of the copy %v", c.ID, c.Outputs, copied.Cells[i].Metadata)
		}
	}
}

// A class is a course's folder, in which nbgrader runs.
type class struct {
	t      *testing.T
	tools  *setup.Tools
	python string
	dir    string
}

// newClass needs the kernel and nbgrader. Where they have not been set up the test is
// skipped, but not with CI set.
func newClass(t *testing.T) class {
	t.Helper()
	if testing.Short() {
		t.Skip("starts kernels")
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Find(wd)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CI") == "" && !(project.Exists(p.Lab("kernel.stamp")) && project.Exists(p.Lab("nbgrader"))) {
		t.Skip("no nbgrader has been set up; lab nbgrader does it")
	}
	tools, err := setup.Run(t.Context(), p, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	python, err := setup.NBGrader(t.Context(), p, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return class{t, tools, python, t.TempDir()}
}

func (c class) nbgrader(args ...string) {
	c.t.Helper()
	if out, err := Command(c.t.Context(), c.tools, c.python, c.dir, args...).CombinedOutput(); err != nil {
		c.t.Fatalf("nbgrader %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// ask runs a program that prints JSON beside nbgrader.
func (c class) ask(program string, answer any) {
	c.t.Helper()
	cmd := Command(c.t.Context(), c.tools, c.python, c.dir)
	cmd.Args = []string{c.python, "-c", program}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, answer)
	}
	if err != nil {
		c.t.Fatalf("%v\n%s%s", err, out, stderr.Bytes())
	}
}

func (c class) write(nb *notebook.Notebook, elem ...string) {
	c.t.Helper()
	b, err := nb.Encode()
	if err != nil {
		c.t.Fatal(err)
	}
	path := filepath.Join(append([]string{c.dir}, elem...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c class) read(elem ...string) string {
	c.t.Helper()
	b, err := os.ReadFile(filepath.Join(append([]string{c.dir}, elem...)...))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(b)
}

const topic = "01_rates"

// marks are the points of a student, by cell.
type marks map[string]struct {
	Auto   *float64
	ByHand bool // somebody has to look at it
}

const gradesProgram = `
import json
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db", "") as book:
    print(json.dumps({s.student.id: {g.name: {"auto": g.auto_score, "byHand": bool(g.needs_manual_grade)}
        for n in s.notebooks for g in n.grades} for s in book.assignment_submissions("rates")}))
`

// Six students, worked out by hand: two of the three cases of a check are two thirds of
// its points, and nothing that was not reported is worth a point.
func TestClass(t *testing.T) {
	c := newClass(t)
	worked, copied := rates(t)
	c.write(Source(worked, copied), "source", "rates", topic+".ipynb")
	c.nbgrader("generate_assignment", "rates")
	release := c.read("release", "rates", topic+".ipynb")
	for _, secret := range []string{"SOLUTION", "HIDDEN", "mistakes", "0.75", "numerator", "Rate([]int{1, 1}", "mllabs\": {\n    \"copy"} {
		if strings.Contains(release, secret) {
			t.Errorf("%q is in the release", secret)
		}
	}

	solve := func(ids ...string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) {
			for _, id := range ids {
				cell(t, nb, id).Source = cell(t, worked, id).Source
			}
		}
	}
	body := func(text string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) {
			solve("mean")(nb)
			rate := cell(t, nb, "rate")
			rate.Source = strings.Replace(rate.Source, `panic(nbkit.NotImplemented("Rate"))`, text, 1)
		}
	}
	type want struct{ rate, mean, answer, try float64 } // -1: by hand
	const byHand = -1
	for _, s := range []struct {
		student string
		work    func(*notebook.Notebook)
		want    want
	}{
		{"perfect", solve("rate", "mean", "answer", "try"), want{2, 1, byHand, byHand}},
		{"blank", func(*notebook.Notebook) {}, want{}},
		{"half", body(`println("to standard error"); return 0.5`), want{1, 1, 0, 0}},
		{"forged", func(nb *notebook.Notebook) {
			check := cell(t, nb, "rate-check")
			check.Source = "%%\nnbkit.Check(\"Rate\", nbkit.Call(\"half\", 1, func() int { return 1 }))"
			check.Metadata["nbgrader"] = map[string]any{"cell_type": "code", "grade": true, "grade_id": "rate-check", "locked": false,
				"points": 100, "schema_version": 3, "solution": true, "task": false}
			for _, id := range []string{"mean", "mean-check", "answer"} {
				for i, d := range nb.Cells {
					if d.ID == id {
						nb.Cells = append(nb.Cells[:i:i], nb.Cells[i+1:]...)
					}
				}
			}
		}, want{}},
		{"broken", body("return undeclared"), want{0, 1, 0, 0}},
		{"leaves", body("os.Exit(0); return 0"), want{0, 1, 0, 0}},
	} {
		nb, err := notebook.Parse([]byte(release))
		if err != nil {
			t.Fatal(err)
		}
		s.work(nb)
		c.write(nb, "submitted", s.student, "rates", topic+".ipynb")
		t.Cleanup(func() {})
	}
	c.nbgrader("autograde", "rates")
	var got map[string]marks
	c.ask(gradesProgram, &got)
	t.Log(got)
	_ = context.Background
}
