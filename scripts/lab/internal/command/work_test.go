//go:build !handout && !light

package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// Where a new notebook is written; what is there already stays.
func TestNew(t *testing.T) {
	root := inCheckout(t, map[string]string{"notebooks/work/old.ipynb": "mine"})
	other := t.TempDir()
	for _, c := range []struct {
		name string
		code int
		path string // of what is written
		errs string
	}{
		{"flats", OK, filepath.Join(root, "notebooks", "work", "flats.ipynb"), ""},
		{"houses.ipynb", OK, filepath.Join(root, "notebooks", "work", "houses.ipynb"), ""},
		{filepath.Join(other, "my study", "flats"), OK, filepath.Join(other, "my study", "flats.ipynb"), ""},
		{"./flats", OK, filepath.Join(root, "flats.ipynb"), ""},
		{"flats", Failed, "", "flats.ipynb is there already"},
		{"old", Failed, "", "old.ipynb is there already"},
		{"go.mod/flats", Failed, "", "go.mod"},
		{"", Usage, "", "one name"},
	} {
		code, _, errs := call(t, "new", c.name)
		if code != c.code || !strings.Contains(errs, c.errs) {
			t.Errorf("new %q: code %d, %s", c.name, code, errs)
		}
		if c.path == "" {
			continue
		}
		if b, err := os.ReadFile(c.path); err != nil || !bytes.Equal(b, newNotebook) {
			t.Errorf("new %q: %v, %d bytes", c.name, err, len(b))
		}
	}
	if b, err := os.ReadFile(filepath.Join(root, "notebooks", "work", "old.ipynb")); err != nil || string(b) != "mine" {
		t.Errorf("what was there is now %q, %v", b, err)
	}
}

// What a student finds in notebooks/work at each start of JupyterLab, after what student and
// course have done in between, in the order of the steps.
func TestFillWork(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	// The links are those of copies in a course's folder and in that of no course.
	root := inCheckout(t, map[string]string{
		"notebooks/00_go.ipynb": "", "notebooks/exercises/00_go.ipynb": "[next](../lab3/exercises/01_x.ipynb)",
		"notebooks/lab3/01_x.ipynb": "", "notebooks/lab3/exercises/01_x.ipynb": "[a](02_y.ipynb), [b](../../exercises/00_go.ipynb), [c](../../uci/exercises/03_z.ipynb)",
		"notebooks/lab3/02_y.ipynb": "", "notebooks/lab3/exercises/02_y.ipynb": "two",
		"notebooks/lab3/03_w.ipynb": "", "notebooks/lab3/exercises/03_w.ipynb": "three",
		".gitignore": "/.lab\n/notebooks/work/\n", ".lab/x": "",
	})
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "a")
	const first = "[a](02_y.ipynb), [b](../00_go.ipynb), [c](../uci/03_z.ipynb)"
	for _, c := range []struct {
		what   string
		before func()
		says   string
		want   [3]string // lab3/01_x, 02_y and 03_w
	}{
		{"the first start", func() {}, "notebooks/work: 4 new notebooks to work in\n", [3]string{first, "two", "three"}},
		{"nothing has changed", func() {}, "", [3]string{first, "two", "three"}},
		{"the student has worked, and the course has changed", func() {
			write("notebooks/work/lab3/01_x.ipynb", "my one")
			write("notebooks/lab3/exercises/01_x.ipynb", "new one")
			write("notebooks/lab3/exercises/02_y.ipynb", "new two")
			git("commit", "-q", "-a", "-m", "b")
		}, "notebooks/work: 1 new notebook to work in\n", [3]string{"my one", "new two", "three"}},
		{"the student has begun in exercises", func() { write("notebooks/lab3/exercises/02_y.ipynb", "begun") },
			"what you have begun in notebooks/lab3/exercises/02_y.ipynb is now in notebooks/work/lab3/02_y.ipynb, so go on there; \"git checkout -- notebooks/lab3/exercises/02_y.ipynb\" makes git pull possible\nnotebooks/work: 1 new notebook to work in\n",
			[3]string{"my one", "begun", "three"}},
		{"and looks again", func() {}, "", [3]string{"my one", "begun", "three"}},
		{"and the course changes that exercise", func() {
			git("checkout", "-q", "--", "notebooks/lab3/exercises/02_y.ipynb")
			write("notebooks/lab3/exercises/02_y.ipynb", "newer two")
			git("commit", "-q", "-a", "-m", "c")
		}, "", [3]string{"my one", "begun", "three"}},
		{"the record is lost", func() {
			write(".lab/work.json", "{")
			write("notebooks/lab3/exercises/03_w.ipynb", "new three")
			git("commit", "-q", "-a", "-m", "d")
		}, "", [3]string{"my one", "begun", "three"}},
		{"no git", func() {
			if err := errors.Join(os.Rename(filepath.Join(root, ".git"), filepath.Join(root, "git")), os.Remove(filepath.Join(root, "notebooks", "work", "lab3", "03_w.ipynb"))); err != nil {
				t.Fatal(err)
			}
		}, "notebooks/work: 1 new notebook to work in\n", [3]string{"my one", "begun", "new three"}},
	} {
		c.before()
		var said bytes.Buffer
		e := &env{Project: project.Project{Root: root}, out: &said, err: io.Discard}
		worked, err := e.Notebooks()
		if err == nil {
			err = e.fillWork(t.Context(), worked)
		}
		if err != nil || said.String() != c.says {
			t.Errorf("%s: %v, it says %q", c.what, err, said.String())
		}
		for i, name := range []string{"01_x", "02_y", "03_w"} {
			if b, err := os.ReadFile(filepath.Join(root, "notebooks", "work", "lab3", name+".ipynb")); err != nil || string(b) != c.want[i] {
				t.Errorf("%s: %s is %q, %v, want %q", c.what, name, b, err, c.want[i])
			}
		}
	}
	if b, err := os.ReadFile(filepath.Join(root, "notebooks", "work", "00_go.ipynb")); err != nil || string(b) != "[next](lab3/01_x.ipynb)" {
		t.Errorf("00_go is %q, %v", b, err)
	}
}

// A student's notebook is shown with the outputs that it was saved with, beside its file or where
// --out says.
func TestReportsOfOwnNotebook(t *testing.T) {
	out := t.TempDir()
	for _, c := range []struct {
		line   []string
		folder string // of the page, "" for that of the notebook
	}{
		{nil, ""},
		{[]string{"--fresh"}, ""},
		{[]string{"--out", out}, out},
	} {
		dir := filepath.Join(t.TempDir(), "my study")
		path := filepath.Join(dir, "flats.ipynb")
		// It begins as notebooks did before the kernel knew the checkout.
		saved := `{"cells": [{"cell_type": "code", "id": "old", "execution_count": 6, "metadata": {}, "source": "%noautoget\n!*rm -f go.work && go work init .", "outputs": []}, {"cell_type": "code", "id": "a", "execution_count": 7, "metadata": {}, "source": "%%\nnowhere()", "outputs": [{"output_type": "stream", "name": "stdout", "text": "as it was saved\n"}]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(path, []byte(saved), 0o644)); err != nil {
			t.Fatal(err)
		}
		code, said, errs := call(t, append(append([]string{"reports", "--html"}, c.line...), path)...)
		if code != OK {
			t.Errorf("%q: code %d, %s%s", c.line, code, said, errs)
		}
		page := filepath.Join(cmp.Or(c.folder, dir), "flats.html")
		if b, err := os.ReadFile(page); err != nil || !strings.Contains(string(b), "as it was saved") || !strings.Contains(string(b), "go work init") {
			t.Errorf("%q: %s: %v, %.200s", c.line, page, err, b)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != saved {
			t.Errorf("%q: the notebook has changed: %v", c.line, err)
		}
		if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) > 1 && c.folder != "" {
			t.Errorf("%q: beside the notebook is %q, %v", c.line, files, err)
		}
	}
}

// A page stays connected. Jupyter closes a connection if the last answer to a ping is older than ping_timeout when the next
// ping is due, which is never less than ping_interval after it.
func TestJupyterKeepsConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python")
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	python := filepath.Join(root, ".venv", "bin", "python")
	if os.Getenv("CI") == "" && !project.Exists(python) {
		t.Skip("needs JupyterLab; go run ./scripts/lab setup sets it up")
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", `
import sys
from jupyter_server.base.websocket import WebSocketMixin
from traitlets.config import Config

c = Config()
with open(sys.argv[1], encoding="utf-8") as file:
    exec(file.read(), {"get_config": lambda: c, "__file__": sys.argv[1]})
handler = WebSocketMixin()
handler.settings = c.ServerApp.get("tornado_settings", {})
print(handler.ping_interval, handler.ping_timeout)
`, filepath.Join("own", "jupyter_server_config.py"))
	cmd.Env = append(os.Environ(), "MLLABS_TOOL=lab")
	out, err := cmd.CombinedOutput()
	var interval, timeout int
	if n, _ := fmt.Sscan(string(out), &interval, &timeout); err != nil || n != 2 || timeout < 2*interval {
		t.Errorf("%v, %s", err, out)
	}
}

// The private JupyterLab as a browser asks it: a new notebook has cells, which run, and the menu's
// exports are lab's pages and PDFs, and gofmt formats cells.
func TestJupyterServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts JupyterLab")
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	if p := (project.Project{Root: root}); os.Getenv("CI") == "" && !(project.Exists(p.Lab("kernel.stamp")) && project.Exists(p.Lab("python.json"))) {
		t.Skip("needs the kernel; go run ./scripts/lab setup sets it up")
	}
	folder := filepath.Join(t.TempDir(), "my study")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	address := startJupyterLab(t, root, folder)
	ask := func(method, path, body string, answer any) (status int, content string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Referer", address+"/lab")
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err == nil && answer != nil {
			err = json.Unmarshal(b, answer)
		}
		if err != nil {
			t.Fatalf("%s %s: %s, %v", method, path, r.Status, err)
		}
		return r.StatusCode, string(b)
	}

	var specs struct{ Kernelspecs map[string]any }
	if ask("GET", "/api/kernelspecs", "", &specs); len(specs.Kernelspecs) != 1 || specs.Kernelspecs["gonb"] == nil {
		t.Errorf("kernels %v", specs.Kernelspecs)
	}
	var made struct{ Path, Type string }
	status, _ := ask("POST", "/api/contents", `{"type": "notebook"}`, &made)
	nb, err := notebook.Read(filepath.Join(folder, made.Path))
	template, bad := notebook.Parse(newNotebook)
	if status != http.StatusCreated || err != nil || bad != nil || len(nb.Cells) != len(template.Cells) || nb.Cells[1].Source != template.Cells[1].Source {
		t.Fatalf("a new notebook: status %d, %+v, %v, %v", status, made, err, bad)
	}
	if status, _ := ask("POST", "/api/contents", `{"type": "file", "ext": ".txt"}`, &made); status != http.StatusCreated || made.Type != "file" {
		t.Errorf("a new file: status %d, %+v", status, made)
	}

	if code, said, errs := call(t, "run", filepath.Join(folder, "Untitled.ipynb")); code != OK {
		t.Fatalf("the new notebook does not run: %s%s", said, errs)
	}
	if _, err := os.Stat(filepath.Join(folder, "figures", "points.png")); err != nil {
		t.Errorf("the figure: %v", err)
	}
	var formats map[string]any
	ask("GET", "/api/nbconvert", "", &formats)
	for name := range formats {
		if !slices.Contains([]string{"custom", "html", "markdown", "notebook", "pdf", "python"}, name) {
			t.Errorf("the menu has %s", name)
		}
	}
	for _, c := range []struct{ format, begins, has string }{
		{"html", "<!DOCTYPE html>", "Points of three classes"},
		{"pdf", "%PDF-", "%%EOF"},
	} {
		status, content := ask("GET", "/nbconvert/"+c.format+"/Untitled.ipynb?download=true", "", nil)
		if status != http.StatusOK || !strings.HasPrefix(content, c.begins) || !strings.Contains(content, c.has) {
			t.Errorf("%s: status %d, %.300s", c.format, status, content)
		}
	}
	// The oracle is gofmt on whole files.
	for _, c := range []struct{ cell, want, errs string }{
		{"func f( x int)int{return x+1}\n\n%%\nx:=f(1)\nif x>1 {\nfmt.Println( x )\n}", "func f(x int) int { return x + 1 }\n\n%%\nx := f(1)\nif x > 1 {\n\tfmt.Println(x)\n}", ""},
		{"%noautoget\n!*ls  -l\n\nimport  \"fmt\"\n\n", "%noautoget\n!*ls  -l\n\nimport \"fmt\"\n\n", ""},
		{"%%\nx:=1\n%%\ny:=2", "%%\nx := 1\n%%\ny := 2", ""},
		{"", "", ""},
		{"func f() {}\n\n%%\n\nx := )", "", "line 5:6: "},
	} {
		body, err := json.Marshal(map[string]any{"code": []string{c.cell}, "formatter": "gofmt", "notebook": true})
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Code []struct{ Code, Error string }
		}
		ask("POST", "/jupyterlab_code_formatter/format", string(body), &answer)
		if len(answer.Code) != 1 || answer.Code[0].Code != c.want || c.errs == "" != (answer.Code[0].Error == "") || !strings.Contains(answer.Code[0].Error, c.errs) {
			t.Errorf("%q: %+v", c.cell, answer.Code)
		}
	}
	if left, err := filepath.Glob(filepath.Join(folder, "Untitled.*")); err != nil || len(left) != 1 {
		t.Errorf("beside the notebook is %v, %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "broken.ipynb"), []byte(`{"cells": [], "metadata": {"mllabs": 1}, "nbformat": 4, "nbformat_minor": 5}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, content := ask("GET", "/nbconvert/html/broken.ipynb", "", nil); status != http.StatusInternalServerError || !strings.Contains(content, "metadata mllabs") {
		t.Errorf("a notebook that cannot be read: status %d, %.300s", status, content)
	}
}
