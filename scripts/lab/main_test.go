//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/command"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gonb"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// The tests run the tool as a process of its own: this test's program, told by
// an environment variable to be the tool. Around it is a checkout with two
// notebooks, and shell scripts in the place of go, Python and Typst.

const (
	beTheTool     = "MLLABS_TEST_IS_LAB"
	beTheLauncher = "MLLABS_TEST_IS_LAUNCHER"
)

func TestMain(m *testing.M) {
	if os.Getenv(beTheLauncher) != "" {
		main()
	}
	if os.Getenv(beTheTool) != "" {
		if home := os.Getenv(homeOfData); home != "" {
			http.DefaultTransport = redirect{home}
		}
		command.Run()
	}
	os.Exit(m.Run())
}

// homeOfData names, for the tool as the tests run it, a server that stands for the
// homes of the data sets.
const homeOfData = "MLLABS_TEST_HOME"

type redirect struct{ to string }

func (r redirect) RoundTrip(req *http.Request) (*http.Response, error) {
	home, err := url.Parse(r.to)
	if err != nil {
		return nil, err
	}
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host = home.Scheme, home.Host
	return (&http.Transport{}).RoundTrip(req)
}

const (
	// go build makes the kernel's programs; go test tells of one test.
	goodGo = `
[ "$1" = -C ] && shift 2
case "$1" in
mod) echo '{"Dir": "'"$TEST_GONB"'"}';;
build) mkdir -p "$3"; for name in gonb goimports cellbuild; do touch "$3$name" && chmod +x "$3$name"; done;;
env) echo '{"GOCACHE": "/c", "GOENV": "/e", "GOMODCACHE": "/m", "GOPATH": "/p"}';;
list) echo github.com/mllabs-go/mllabs/mlcore; echo github.com/mllabs-go/mllabs/mlcore/onnx;;
test) echo '{"Action":"pass","Package":"m","Test":"TestX"}'; echo '{"Action":"pass","Package":"m"}';;
esac`
	// A Python that makes environments; the one in them runs notebooks.
	goodPython = `
case "$*" in
*sys.executable*) echo "$0";;
"-m venv "*) mkdir -p "$3/bin" && cp "$MACHINE/runner" "$3/bin/python";;
esac`
	// $1 is the program that it is to run, $2 the notebook, $3 where to write it.
	goodRunner = `
case "$1" in -*) exit 0;; esac
echo runner >> "$MACHINE/calls"
echo '{"event": "cell", "cell": 1}'
sed 's/"outputs": \[\]/"outputs": [{"output_type": "stream", "name": "stdout", "text": "fresh output"}]/' "$2" > "$3"
echo '{"event": "done"}'`
	// Its last argument is where to write.
	goodTypst = typstVersion + `
echo typst >> "$MACHINE/calls"
for out; do :; done
echo %PDF-1.7 > "$out"`
	typstVersion = `
[ "$1" = --version ] && echo "typst 0.15.2" && exit 0`
)

// kernelModule is the folder of the real kernel's module, to which the project's changes are applied.
var kernelModule = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", gonb.Module)
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
})

// A machine is a checkout and what is on PATH.
type machine struct {
	t         *testing.T
	root, bin string
}

func newMachine(t *testing.T, scripts map[string]string) *machine {
	t.Helper()
	if _, err := exec.LookPath("setsid"); err != nil && os.Getenv("CI") == "" {
		t.Skip("needs setsid, to make a kernel's process group with (Debian: apt-get install util-linux)")
	}
	m := &machine{t: t, root: t.TempDir(), bin: t.TempDir()}
	module, err := kernelModule()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TEST_GONB", module)
	all := map[string]string{"go": goodGo, "python3": goodPython, "runner": goodRunner, "typst": goodTypst}
	for name, script := range scripts {
		all[name] = script
	}
	for name, script := range all {
		m.write(filepath.Join(m.bin, name), "#!/bin/sh\n"+script+"\n", 0o755)
	}
	for name, text := range map[string]string{
		"go.mod":                       "module github.com/mllabs-go/mllabs\n\ngo 1.26\n",
		"go.sum":                       "",
		"scripts/go.mod":               "module github.com/mllabs-go/mllabs/scripts\n\ngo 1.26\n",
		"scripts/go.sum":               "",
		"mlcore/doc.go":                "package mlcore\n",
		"notebooks/go.mod":             "module github.com/mllabs-go/mllabs/notebooks\n\ngo 1.26\n",
		"notebooks/nbkit/nbkit.go":     "package nbkit\n",
		"notebooks/nbkit/harness/h.go": "package harness\n",
		"scripts/lab/requirements.txt": "nbclient==1\n",
		"notebooks/lab3/01_x.ipynb":    cleanNotebook(t, "lab3/01_x"),
		"notebooks/lab3/02_y.ipynb":    cleanNotebook(t, "lab3/02_y"),
		"figures/README.md":            "# Figures\n",
	} {
		m.write(filepath.Join(m.root, filepath.FromSlash(name)), text, 0o644)
	}
	// What keys hash of the tool itself.
	for _, name := range []string{"run", "cellbuild", "printing"} {
		m.write(filepath.Join(m.root, "scripts", "lab", "internal", name, "doc.go"), "package "+name+"\n", 0o644)
	}
	p := project.Project{Root: m.root}
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	keys, sums := key.Open(p), key.Sums{}
	for _, nb := range nbs {
		parsed, err := notebook.Read(nb.Path)
		if err != nil {
			t.Fatal(err)
		}
		if sums[nb.Name()], err = keys.Notebook(parsed, filepath.Dir(nb.Path)); err != nil {
			t.Fatal(err)
		}
	}
	if err := sums.Write(p); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *machine) write(path, text string, mode os.FileMode) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		m.t.Fatal(err)
	}
}

// cleanNotebook is a notebook in which lab check finds nothing wrong.
func cleanNotebook(t *testing.T, name string) string {
	t.Helper()
	one := 1
	// Of the first edition: one of the second has a students' copy, too. The line that shows what
	// the kernel knows makes it one that cannot be run as a program.
	nb := &notebook.Notebook{Metadata: map[string]any{"mllabs": map[string]any{"edition": 1}}, Cells: []*notebook.Cell{
		{Type: "markdown", Source: "# A title\n\nWhat the reader will learn."},
		{Type: "code", Source: "%env MLLABS_TEST 1\nimport (\n\t\"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n)\n\nvar _ = nbkit.Notebook(\"" + name + "\")", ExecutionCount: &one},
	}}
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

// edit changes a code cell of both notebooks, so that their outputs are of other cells.
func (m *machine) edit() {
	m.t.Helper()
	for _, name := range []string{"01_x", "02_y"} {
		path := filepath.Join(m.root, "notebooks", "lab3", name+".ipynb")
		b, err := os.ReadFile(path)
		if err != nil {
			m.t.Fatal(err)
		}
		m.write(path, strings.Replace(string(b), "var _ =", "var  _ =", 1), 0o644)
	}
}

// lab makes a process of the tool that is not yet started.
func (m *machine) lab(out *bytes.Buffer, env []string, args ...string) *exec.Cmd {
	m.t.Helper()
	self, err := os.Executable()
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = m.root
	cmd.Env = append(os.Environ(), beTheTool+"=1", "MACHINE="+m.bin, "PATH="+m.bin+":/usr/bin:/bin", "CI=", "MLLABS_PYTHON=")
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd
}

// run runs the tool to its end.
func (m *machine) run(env []string, args ...string) (code int, out string) {
	m.t.Helper()
	var b bytes.Buffer
	cmd := m.lab(&b, env, args...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), b.String()
}

// calls are the runner's and Typst's calls since the last time.
func (m *machine) calls() (runner, typst int) {
	path := filepath.Join(m.bin, "calls")
	b, _ := os.ReadFile(path)
	os.Remove(path)
	return strings.Count(string(b), "runner"), strings.Count(string(b), "typst")
}

// tracked identifies the files of the checkout but for those that git ignores.
func (m *machine) tracked() string {
	m.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(m.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(m.root, path)
		switch name {
		case ".lab", "dist":
			return filepath.SkipDir
		}
		if d.IsDir() || name == ".venv" { // a link
			return nil
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", name, sha256.Sum256(text))
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return b.String()
}

func (m *machine) read(name string) string {
	m.t.Helper()
	b, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(name)))
	if err != nil {
		m.t.Error(err)
	}
	return string(b)
}

func TestReports(t *testing.T) {
	m := newMachine(t, nil)
	// A fresh clone prints what was committed, and needs no set-up for that.
	before := m.tracked()
	stale := filepath.Join(m.root, "dist", "mllabs-lab3-book.pdf")
	m.write(stale, "of a day with less memory", 0o644)
	code, out := m.run(nil, "reports")
	if runner, typst := m.calls(); code != 0 || runner != 0 || typst != 3 || strings.Count(out, "committed  yes   yes") != 2 || strings.Contains(out, "set-up") {
		t.Fatalf("a fresh clone: code %d, %d runs, %d prints\n%s", code, runner, typst, out)
	}
	if after := m.tracked(); after != before {
		t.Errorf("files changed from\n%sto\n%s", before, after)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("an older book of one course lies beside the book")
	}
	// An edited notebook is run.
	m.edit()
	before = m.tracked()
	code, out = m.run(nil, "reports")
	if runner, typst := m.calls(); code != 0 || runner != 2 || typst != 3 {
		t.Fatalf("code %d, %d runs, %d prints\n%s", code, runner, typst, out)
	}
	for _, name := range []string{"lab3/01_x", "lab3/02_y", "mllabs"} {
		if page := m.read("dist/" + name + ".html"); !strings.Contains(page, "fresh output") {
			t.Errorf("%s.html is not of this run", name)
		}
		if pdf := m.read("dist/" + name + ".pdf"); !strings.HasPrefix(pdf, "%PDF") {
			t.Errorf("%s.pdf is %q", name, pdf)
		}
	}
	// A second time nothing is run and nothing printed.
	code, out = m.run(nil, "reports")
	if runner, typst := m.calls(); code != 0 || runner+typst != 0 || strings.Count(out, "unchanged") < 2 {
		t.Errorf("a second time: code %d, %d runs, %d prints\n%s", code, runner, typst, out)
	}
	// What is committed stays as it is, whatever happens.
	if after := m.tracked(); after != before {
		t.Errorf("files changed from\n%sto\n%s", before, after)
	}
	m.write(filepath.Join(m.bin, "runner"), "#!/bin/sh\ncase $1 in -*) exit 0;; esac\ncp \"$2\" \"$3\"; echo '{\"event\": \"failed\", \"kind\": \"died\", \"cell\": 1}'; exit 1\n", 0o755)
	m.write(filepath.Join(m.root, "scripts", "lab", "requirements.txt"), "nbclient==2\n", 0o644) // so that Python is made anew
	before = m.tracked()
	code, out = m.run(nil, "reports", "--fresh")
	if code != 1 || !strings.Contains(out, "the kernel died") || !strings.Contains(out, "committed outputs") {
		t.Errorf("a failure: code %d\n%s", code, out)
	}
	if after := m.tracked(); after != before {
		t.Errorf("files changed from\n%sto\n%s", before, after)
	}
}

// One notebook that cannot be read does not keep the others from their reports.
func TestReportsWithoutOne(t *testing.T) {
	m := newMachine(t, nil)
	m.write(filepath.Join(m.root, "notebooks", "lab3", "00_cut.ipynb"), `{"cells": [`, 0o644)
	m.edit()
	code, out := m.run(nil, "reports")
	if code != 1 || !strings.Contains(out, "lab3/00_cut") || !strings.Contains(out, "not a notebook") || !strings.Contains(out, "1 failure") {
		t.Errorf("code %d\n%s", code, out)
	}
	for _, name := range []string{"lab3/01_x", "lab3/02_y", "mllabs"} {
		if page := m.read("dist/" + name + ".html"); !strings.Contains(page, "fresh output") {
			t.Errorf("%s.html is not of this run", name)
		}
	}
}

// What is saved while a notebook runs stays, and so does a link.
func TestRunOverwritesNothing(t *testing.T) {
	m := newMachine(t, map[string]string{"runner": strings.Replace(goodRunner, `echo '{"event": "done"}'`, `
grep -q 01_x "$2" && sed -i.old 's/A title/An edited title/' notebooks/lab3/01_x.ipynb && rm notebooks/lab3/01_x.ipynb.old
echo '{"event": "done"}'`, 1)})
	linked := filepath.Join(m.root, "notebooks", "lab3", "02_y.ipynb")
	if err := errors.Join(os.Rename(linked, filepath.Join(m.root, "y.ipynb")), os.Symlink("../../y.ipynb", linked)); err != nil {
		t.Fatal(err)
	}
	code, out := m.run(nil, "run")
	if code != 1 || !strings.Contains(out, "lab3/01_x: the file was changed while the notebook ran") || !strings.Contains(out, ".lab/failed/lab3-01_x.ipynb") {
		t.Errorf("code %d\n%s", code, out)
	}
	for name, want := range map[string][2]bool{ // edited, run
		"notebooks/lab3/01_x.ipynb":   {true, false},
		".lab/failed/lab3-01_x.ipynb": {false, true},
		"y.ipynb":                     {false, true},
	} {
		text := m.read(name)
		if got := [2]bool{strings.Contains(text, "An edited title"), strings.Contains(text, "fresh output")}; got != want {
			t.Errorf("%s: edited, run: %v, want %v", name, got, want)
		}
	}
	if to, err := os.Readlink(linked); err != nil || to != "../../y.ipynb" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

const (
	// The first notebook ends only when the second has.
	crossedRunner = `
case "$1" in -*) exit 0;; esac
if grep -q 01_x "$2"; then
	for i in $(seq 500); do [ -e "$MACHINE/second" ] && break; sleep 0.02; done
	[ -e "$MACHINE/second" ] || { echo '{"event": "failed", "kind": "died", "cell": 1}'; cp "$2" "$3"; exit 1; }
else
	touch "$MACHINE/second"
fi` + goodRunner
	// No notebook suffers another beside it.
	jealousRunner = `
case "$1" in -*) exit 0;; esac
mkdir "$MACHINE/alone" || { echo '{"event": "failed", "kind": "died", "cell": 1}'; cp "$2" "$3"; exit 1; }
sleep 0.1
rmdir "$MACHINE/alone"` + goodRunner
)

// JupyterLab does not wait for gopls, which is built meanwhile, and whose build ends with it.
func TestJupyterStartsBeforeGopls(t *testing.T) {
	waits := func(file string) string {
		return `for i in $(seq 600); do [ -e ` + file + ` ] && break; sleep 0.1; done; [ -e ` + file + ` ] || exit 9`
	}
	goBuilding := func(then string) string {
		return `
case "$1" in install) touch "$MACHINE/building"; ` + then + `; exit;; esac` + goodGo
	}
	runner := func(file string) string {
		return `
case "$*" in "-m jupyterlab"*) touch "$MACHINE/jupyter"; ` + waits(file) + `; exit;; esac` + goodRunner
	}
	for _, c := range []struct{ name, goScript, runner string }{
		{"built", goBuilding(waits(`"$MACHINE/jupyter"`) + `; echo > "$GOBIN/gopls" && chmod +x "$GOBIN/gopls"`), runner(".lab/gopls/gopls")},
		{"JupyterLab ends first", goBuilding(`sleep 1000`), runner(`"$MACHINE/building"`)},
		{"cannot be built", goBuilding(waits(`"$MACHINE/jupyter"`) + `; echo no route >&2; touch "$MACHINE/failed"; exit 1`), runner(`"$MACHINE/failed"`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, map[string]string{"go": c.goScript, "runner": c.runner})
			if code, out := m.run(nil, "jupyter"); code != 0 || !strings.Contains(out, "building gopls") {
				t.Errorf("code %d\n%s", code, out)
			}
		})
	}
}

func TestJobs(t *testing.T) {
	for _, c := range []struct {
		name, runner string
		args         []string
		ran          string // what follows a notebook's name once it has run
	}{
		// Progress comes as notebooks are done, the table in their order.
		{"reports, two at a time", crossedRunner, []string{"reports", "--fresh", "--jobs", "2"}, strings.Repeat(" ", 14) + "ran"},
		{"reports, one at a time", jealousRunner, []string{"reports", "--fresh", "--jobs", "1"}, ": ran"},
		{"check, two at a time", crossedRunner, []string{"check", "--jobs", "2"}, " (ran"},
		{"check, one at a time", jealousRunner, []string{"check", "--jobs", "1"}, " (ran"},
		{"test, two at a time", crossedRunner, []string{"test", "--jobs", "2"}, " (ran"},
		{"run", jealousRunner, []string{"run"}, ": 1 cells"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, map[string]string{"runner": c.runner})
			_, out := m.run(nil, c.args...)
			first, second := strings.Index(out, "lab3/01_x"+c.ran), strings.Index(out, "lab3/02_y"+c.ran)
			if runner, _ := m.calls(); runner != 2 || first < 0 || second < first || strings.Contains(out, "died") {
				t.Errorf("%d runs, lines at %d and %d\n%s", runner, first, second, out)
			}
		})
	}
	for _, command := range []string{"reports", "check", "test"} {
		code, out := newMachine(t, nil).run(nil, command, "--jobs", "0")
		if code != 2 || !strings.Contains(out, "--jobs is 0") {
			t.Errorf("%s --jobs 0: code %d\n%s", command, code, out)
		}
	}
}

// What a cell writes into the checkout is a finding.
func TestCheckFindsStrayFiles(t *testing.T) {
	m := newMachine(t, map[string]string{"runner": strings.Replace(goodRunner, `echo '{"event": "done"}'`, `
echo x > "$4/left.csv"; echo x >> figures/README.md; rm mlcore/doc.go
echo '{"event": "done"}'`, 1)})
	code, out := m.run(nil, "check", "01_x")
	for _, want := range []string{"notebooks/lab3/left.csv appeared", "figures/README.md was changed", "mlcore/doc.go was removed"} {
		if code != 1 || !strings.Contains(out, "while it ran, "+want) {
			t.Errorf("code %d, want %q\n%s", code, want, out)
		}
	}
}

// A notebook whose outputs are not the committed ones gets no key, which would say that they are.
func TestCheckNotesNoKeyOfWhatFails(t *testing.T) {
	m := newMachine(t, nil)
	m.write(filepath.Join(m.root, "notebooks", "outputs.sum"), "lab3/02_y 00\n", 0o644)
	if code, out := m.run(nil, "check", "01_x"); code != 1 || !strings.Contains(out, "FAIL lab3/01_x (ran") {
		t.Errorf("code %d\n%s", code, out)
	}
	if sums := m.read("notebooks/outputs.sum"); sums != "lab3/02_y 00\n" {
		t.Errorf("it noted %q", sums)
	}
}

// noKernel is a machine on which nothing can run a notebook.
var noKernel = map[string]string{"go": `case "$3" in build) echo "no route to host" >&2; exit 1;; esac` + goodGo}

func TestReportsWithoutSetUp(t *testing.T) {
	m := newMachine(t, noKernel)
	m.edit()
	before := m.tracked()
	for ci, want := range map[string]int{"": 0, "true": 1} {
		code, out := m.run([]string{"CI=" + ci}, "reports")
		if code != want || strings.Count(out, "printed from its committed outputs: the kernel cannot be run\n") != 2 || !strings.Contains(out, "no route to host") || strings.Count(out, "old        yes   yes") != 2 {
			t.Errorf("CI=%s: code %d\n%s", ci, code, out)
		}
	}
	for _, name := range []string{"lab3/01_x", "lab3/02_y", "mllabs"} {
		if page := m.read("dist/" + name + ".html"); !strings.Contains(page, "here the kernel cannot be run") {
			t.Errorf("%s.html does not say that its outputs are the committed ones", name)
		}
		m.read("dist/" + name + ".pdf")
	}
	if after := m.tracked(); after != before {
		t.Errorf("files changed from\n%sto\n%s", before, after)
	}
}

// Go stops the tests of a package after ten minutes, which those of this tool can take
// where a machine is slow or busy.
func TestTestsHaveTime(t *testing.T) {
	m := newMachine(t, map[string]string{"go": `case "$*" in test*"-timeout 6h "*) ;; test*) echo '{"Action":"fail","Package":"m"}'; exit 1;; esac` + goodGo})
	if _, out := m.run(nil, "test"); strings.Count(out, "\nok   go test of ") != 3 { // the first tier's is shown again

		t.Error(out)
	}
}

func TestTestWithoutSetUp(t *testing.T) {
	m := newMachine(t, noKernel)
	for ci, want := range map[string]int{"": 0, "true": 1} {
		code, out := m.run([]string{"CI=" + ci}, "test")
		for _, part := range []string{"ok   go vet", "ok   go test of what needs nothing but Go: 1 passed", "ok   go test of the rest: 1 passed", "0 passed, 0 failed, 2 not run", "(not run: the kernel cannot be run)", "set-up: cannot build the kernel"} {
			if code != want || !strings.Contains(out, part) {
				t.Errorf("CI=%s: code %d, want %d and %q\n%s", ci, code, want, part, out)
			}
		}
	}
	// Asked for nothing but notebooks, the tool cannot call this a success.
	for _, command := range []string{"check", "run"} {
		if code, out := m.run(nil, command); code != 1 || !strings.Contains(out, "no route to host") {
			t.Errorf("%s: code %d\n%s", command, code, out)
		}
	}
}

const (
	// hangs starts a process and does not listen; setsid before the process gives
	// it a group of its own, as kernels have.
	hangs = `
trap '' INT TERM HUP
$setsid sleep 1000 </dev/null >/dev/null 2>&1 &
echo '{"event": "kernel", "pid": '$!'}'
echo "$$ $!" > "$MACHINE/new.$$" && mv "$MACHINE/new.$$" "$MACHINE/pids.$$"
sleep 1000`
	hangingRunner = `case "$1" in -*) exit 0;; esac; setsid=setsid` + hangs
)

// Ctrl-C and a request to end are the same to every command: whatever it started
// is dead when it is, and the exit code is 1.
func TestSignals(t *testing.T) {
	for _, c := range []struct {
		name    string
		signal  syscall.Signal
		scripts map[string]string
		args    []string
	}{
		{"Ctrl-C in run", syscall.SIGINT, map[string]string{"runner": hangingRunner}, []string{"run"}},
		{"SIGTERM in run", syscall.SIGTERM, map[string]string{"runner": hangingRunner}, []string{"run"}},
		{"SIGTERM in reports", syscall.SIGTERM, map[string]string{"runner": hangingRunner}, []string{"reports", "--fresh", "--jobs", "1"}},
		{"Ctrl-C in two runs", syscall.SIGINT, map[string]string{"runner": hangingRunner}, []string{"check", "--jobs", "2"}},
		{"SIGTERM in printing", syscall.SIGTERM, map[string]string{"typst": typstVersion + hangs}, []string{"reports"}},
		{"Ctrl-C in pip", syscall.SIGINT, map[string]string{"runner": `if [ "$2" = pip ]; then` + hangs + "\nfi"}, []string{"setup"}},
		{"SIGTERM in go test", syscall.SIGTERM, map[string]string{"go": `if [ "$1" = test ]; then` + hangs + "\nfi" + goodGo}, []string{"test"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, c.scripts)
			before := m.tracked()
			var out bytes.Buffer
			cmd := m.lab(&out, nil, c.args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			hanging := 1
			if slices.Contains(c.args, "2") {
				hanging = 2
			}
			ended := ends(cmd)
			pids := m.pids(hanging, ended)
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			<-ended
			if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(out.String(), "interrupted") {
				t.Errorf("code %d\n%s", code, out.String())
			}
			for _, pid := range pids {
				if !m.dies(pid) {
					t.Errorf("process %d survived", pid)
				}
			}
			if after := m.tracked(); after != before {
				t.Errorf("files changed from\n%sto\n%s", before, after)
			}
		})
	}
}

// A second signal does not wait for the order that the first one asked for: here
// JupyterLab, which has 15 seconds to end its kernels.
func TestSecondSignal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what a process has started")
	}
	m := newMachine(t, map[string]string{"runner": `case "$*" in *notebook-dir*) setsid=setsid` + hangs + ";; esac"})
	var out bytes.Buffer
	cmd := m.lab(&out, nil, "jupyter")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := ends(cmd)
	pids := m.pids(1, ended)
	// Two that come before the first is looked at arrive as one, on a busy machine also
	// after a while: one more is sent until there is no need for it.
	for running := true; running; {
		cmd.Process.Signal(syscall.SIGINT)
		select {
		case <-ended:
			running = false
		case <-time.After(50 * time.Millisecond):
		}
	}
	// Left in order, JupyterLab is no failure.
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("code %d\n%s", code, out.String())
	}
	for _, pid := range pids {
		if !m.dies(pid) {
			t.Errorf("process %d survived", pid)
		}
	}
}

// ends is closed once a process has ended.
func ends(cmd *exec.Cmd) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	return ended
}

// pids waits for the processes that n calls of the script hangs tell of, while the tool
// that starts them is alive.
func (m *machine) pids(n int, ended <-chan struct{}) (pids []int) {
	m.t.Helper()
	var files []string
	waits.Until(m.t, func() bool {
		files, _ = filepath.Glob(filepath.Join(m.bin, "pids.*"))
		select {
		case <-ended:
			return true
		default:
			return len(files) >= n
		}
	})
	if len(files) < n {
		m.t.Fatal("too little was started that could hang")
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			m.t.Fatal(err)
		}
		for _, s := range strings.Fields(string(b)) {
			pid, err := strconv.Atoi(s)
			if err != nil {
				m.t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// dies waits for the death of a process, and sees to it.
func (m *machine) dies(pid int) bool {
	died := waits.Until(m.t, func() bool {
		// In containers nobody may collect orphans that have died.
		b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		_, state, _ := strings.Cut(string(b), ") ")
		return err == nil && strings.HasPrefix(state, "Z") || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
	})
	if !died {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	return died
}
