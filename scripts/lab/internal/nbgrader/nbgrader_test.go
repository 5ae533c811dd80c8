//go:build unix

package nbgrader

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
	for _, hidden := range []struct{ id, old, new string }{{"rate-check", `"none"`, `"SECRETNAME"`}, {"mean-check", `"three"`, `"SECRETFOLDS"`}} {
		c := cell(t, nb, hidden.id)
		c.Source = strings.Replace(c.Source, hidden.old, hidden.new, 1)
	}
	// What is no exercise would only take time.
	nb.Cells = slices.DeleteFunc(nb.Cells, func(c *notebook.Cell) bool { return c.ID == "show" })
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
			if c.Source != cell(t, worked, c.ID).Source || own["copy"] != copied.Cells[i].Source {
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
		t.Skip("needs nbgrader; go run ./scripts/lab nbgrader sets it up")
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

// A mark is what nbgrader gives for one cell.
type mark struct {
	Auto   *float64
	ByHand bool // somebody has to look at it
}

func (m mark) String() string {
	if m.Auto == nil {
		return "by hand"
	}
	return fmt.Sprintf("%g%s", *m.Auto, map[bool]string{true: " and by hand"}[m.ByHand])
}

const gradesProgram = `
import json
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db", "") as book:
    print(json.dumps({s.student.id: {g.name: {"auto": g.auto_score, "byHand": bool(g.needs_manual_grade)}
        for n in s.notebooks for g in n.grades} for s in book.assignment_submissions("rates")}))
`

// Five students through all steps of nbgrader. What they get was worked out by hand: one of
// two cases is half of the points, and nothing that was not reported is worth a point.
func TestClass(t *testing.T) {
	c := newClass(t)
	worked, copied := rates(t)
	c.write(Source(worked, copied), "source", "rates", topic+".ipynb")
	c.nbgrader("generate_assignment", "rates")
	release := c.read("release", "rates", topic+".ipynb")
	for _, secret := range []string{"SOLUTION", "HIDDEN", "SECRET", "mistakes", "0.75", "numerator", "Rate([]int{1, 1}", `"copy"`} {
		if strings.Contains(release, secret) {
			t.Errorf("%q is in the release", secret)
		}
	}

	solve := func(nb *notebook.Notebook, ids ...string) {
		for _, id := range ids {
			cell(t, nb, id).Source = cell(t, worked, id).Source
		}
	}
	body := func(text string) func(*notebook.Notebook) {
		return func(nb *notebook.Notebook) {
			solve(nb, "mean")
			rate := cell(t, nb, "rate")
			rate.Source = strings.Replace(rate.Source, `panic(nbkit.NotImplemented("Rate"))`, text, 1)
		}
	}
	forge := func(nb *notebook.Notebook) {
		body("os.Exit(0); return 0")(nb)
		check := cell(t, nb, "rate-check")
		check.Source = "%%\nnbkit.Check(\"Rate\", nbkit.Call(\"half\", 1, func() int { return 1 }))"
		check.Metadata["nbgrader"] = map[string]any{"cell_type": "code", "grade": true, "grade_id": "rate-check", "locked": false,
			"points": 100, "schema_version": 3, "solution": true, "task": false}
		nb.Cells = slices.DeleteFunc(nb.Cells, func(c *notebook.Cell) bool {
			return c.ID == "mean" || c.ID == "mean-check" || c.ID == "answer"
		})
	}
	class := []struct {
		student                 string
		work                    func(*notebook.Notebook)
		rate, mean, answer, try string
		feedback                []string
	}{
		{"perfect", func(nb *notebook.Notebook) { solve(nb, "rate", "mean", "answer", "try") }, "2", "1", "by hand", "by hand",
			[]string{"Rate: 2 of 2 passed", "✓ half", "does not show, 1 of 1 passed", "the numerator of the formula"}},
		{"blank", func(*notebook.Notebook) {}, "0", "0", "0", "0",
			[]string{"Rate: 0 of 2 passed", "✗ half: not implemented yet", "does not show, 0 of 1 passed"}},
		{"half", body(`println("to standard error", len(y)); return 0.5`), "1", "1", "0", "0",
			[]string{"Rate: 1 of 2 passed", "✓ half", "does not show, 0 of 1 passed", "Mean: 2 of 2 passed"}},
		{"forged", forge, "0", "0", "0", "0", []string{"did not compile, or it crashed", "The cell mean-check was not in the notebook"}},
		{"broken", body("return undeclared"), "0", "1", "0", "0", []string{"undeclared", "did not compile, or it crashed", "Mean: 2 of 2 passed"}},
	}
	for _, s := range class {
		nb, err := notebook.Parse([]byte(release))
		if err != nil {
			t.Fatal(err)
		}
		s.work(nb)
		c.write(nb, "submitted", s.student, "rates", topic+".ipynb")
	}

	c.nbgrader("autograde", "rates")
	var got map[string]map[string]mark
	c.ask(gradesProgram, &got)
	for _, s := range class {
		for id, want := range map[string]string{"rate-check": s.rate, "mean-check": s.mean, "answer": s.answer, "try": s.try} {
			if m := got[s.student][id].String(); m != want {
				t.Errorf("%s, %s: %s points, want %s", s.student, id, m, want)
			}
		}
	}
	if page := c.read("autograded", "forged", "rates", topic+".ipynb"); !strings.Contains(page, "the check has reported no score") {
		t.Error("nobody is told why a check that ends early gives nothing")
	}

	c.gradeByHand("perfect", "answer", "the numerator of the formula", 1.5)

	c.nbgrader("generate_feedback", "rates")
	for _, s := range class {
		page := html.UnescapeString(c.read("feedback", s.student, "rates", topic+".html"))
		for _, text := range s.feedback {
			if !strings.Contains(page, text) {
				t.Errorf("the feedback of %s does not say %q", s.student, text)
			}
		}
		for _, secret := range []string{"SECRET", "HIDDEN", "to standard error 2", "Points so far"} {
			if strings.Contains(page, secret) {
				t.Errorf("%q is in the feedback of %s", secret, s.student)
			}
		}
	}
	if page := c.read("feedback", "perfect", "rates", topic+".html"); !strings.Contains(page, "(Score: 4.5 / 7.0)") {
		t.Error("2, 1 and 1.5 points by hand are not 4.5 of 7 in the feedback")
	}
}

// What a test cell's outputs are worth: a whole score, or an error that says why not.
func TestScores(t *testing.T) {
	c := newClass(t)
	const good = `{"title": "T", "passed": 1, "of": 2, "cases": [{"name": "a", "passed": true}, {"name": "b", "passed": false}]}`
	cases := []struct {
		name   string
		scores []string
		want   string // what get_partial_grade is to read, or the error
	}{
		{"one of two", []string{good}, "1.5"},
		{"all", []string{`{"title": "T", "passed": 1, "of": 1, "cases": [{"name": "a", "passed": true}]}`}, "3"},
		{"none", []string{`{"title": "T", "passed": 0, "of": 1, "cases": [{"name": "a", "passed": false}]}`}, "0"},
		{"no score", nil, "the check has reported no score: the cell ended before it was done"},
		{"two scores", []string{good, good}, "the cell has reported 2 scores; a cell has one check"},
		{"more passed than there are", []string{`{"title": "T", "passed": 2, "of": 1, "cases": [{"name": "a", "passed": true}]}`}, "what the check has reported is no score"},
		{"another sum", []string{`{"title": "T", "passed": 1, "of": 1, "cases": [{"name": "a", "passed": false}]}`}, "what the check has reported is no score"},
		{"no cases", []string{`{"title": "T", "passed": 0, "of": 0, "cases": []}`}, "what the check has reported is no score"},
		{"a number", []string{`7`}, "what the check has reported is no score"},
		{"no JSON", []string{`{`}, "what the check has reported is no score"},
	}
	var scores [][]string
	for _, s := range cases {
		scores = append(scores, s.scores)
	}
	list, err := json.Marshal(scores)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	c.ask(fmt.Sprintf(scoresProgram, list), &got)
	for i, s := range cases {
		if got[i] != s.want {
			t.Errorf("%s: %q, want %q", s.name, got[i], s.want)
		}
	}
}

const scoresProgram = `
import json
from nbformat.v4 import new_code_cell, new_output
from mllabs_nbgrader import SCORE, ReportScore
values = []
for scores in json.loads(%q):
    cell = new_code_cell("", metadata={"nbgrader": {"grade": True, "solution": False, "points": 3, "grade_id": "x"}})
    cell.outputs = [new_output("display_data", data={SCORE: s}) for s in scores or []]
    ReportScore().preprocess_cell(cell, {}, 0)
    values.append("; ".join(o.data["text/plain"] if o.output_type == "execute_result" else o.evalue
                            for o in cell.outputs if o.output_type != "display_data"))
print(json.dumps(values))
`

// gradeByHand gives points for an answer as somebody does on nbgrader's pages, and looks
// whether the page shows the answer.
func (c class) gradeByHand(student, cell, answer string, points float64) {
	t := c.t
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	_, port, _ := strings.Cut(address, ":")
	server := Command(ctx, c.tools, c.python, c.dir, Formgrader, "--no-browser", "--port="+port, "--ServerApp.port_retries=0")
	server.Env = append(server.Env, "JUPYTER_TOKEN=known")
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { server.Wait(); close(done) }()
	defer func() { cancel(); <-done }()

	ask := func(method, path, body string, answer any) (string, error) {
		req, err := http.NewRequestWithContext(ctx, method, "http://"+address+"/formgrader/"+path, strings.NewReader(body))
		if err != nil {
			return "", err
		}
		req.Header.Set("Authorization", "token known")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err == nil && res.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s %s: %s", method, path, res.Status)
		}
		if err == nil && answer != nil {
			err = json.Unmarshal(b, answer)
		}
		return string(b), err
	}
	for {
		if _, err := ask("GET", "api/status", "", nil); err == nil {
			break
		}
		select {
		case <-done:
			t.Fatalf("the server has ended:\n%s", log.Bytes())
		case <-time.After(200 * time.Millisecond):
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var notebooks []struct{ ID, Student string }
	_, err = ask("GET", "api/submitted_notebooks/rates/"+topic, "", &notebooks)
	must(err)
	id := ""
	for _, n := range notebooks {
		if n.Student == student {
			id = n.ID
		}
	}
	page, err := ask("GET", "submissions/"+id, "", nil)
	must(err)
	if !strings.Contains(page, answer) {
		t.Errorf("the page of %s does not show %q", student, answer)
	}
	var grades []struct {
		ID, Name string
		Max      float64 `json:"max_score"`
	}
	_, err = ask("GET", "api/grades?submission_id="+id, "", &grades)
	must(err)
	for _, g := range grades {
		if g.Name == cell {
			if g.Max != 2 {
				t.Errorf("%s gives at most %g points, want 2", cell, g.Max)
			}
			_, err := ask("PUT", "api/grade/"+g.ID, fmt.Sprintf(`{"manual_score": %g}`, points), nil)
			must(err)
			return
		}
	}
	t.Errorf("%s cannot be graded: %+v", cell, grades)
}
