//go:build unix

package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

const twoCells = `{"cells": [
 {"cell_type": "markdown", "id": "m", "metadata": {}, "source": "# T"},
 {"cell_type": "code", "id": "first", "metadata": {}, "source": "a", "outputs": [{"output_type": "stream", "name": "stdout", "text": "old"}], "execution_count": 8},
 {"cell_type": "code", "id": "second", "metadata": {}, "source": "b", "outputs": [], "execution_count": null}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`

// fake makes a checkout with one notebook and a "Python" that is a shell script:
// $1 is the runner, $2 the notebook to run, $3 where to write it.
func fake(t *testing.T, script string) (*setup.Tools, project.Notebook) {
	t.Helper()
	if _, err := exec.LookPath("setsid"); err != nil && os.Getenv("CI") == "" {
		t.Skip("needs setsid, to make a kernel's process group with (Debian: apt-get install util-linux)")
	}
	p := project.Project{Root: t.TempDir()}
	nb := project.Notebook{Course: "c", Topic: "n", Path: p.Path("notebooks", "c", "n.ipynb")}
	for path, text := range map[string]string{
		nb.Path:               twoCells,
		p.Path("go.mod"):      "module " + project.Module + "\n",
		p.Path("go.sum"):      "",
		p.Path("python.sh"):   "#!/bin/sh\n" + script,
		p.Path("mlcore/a.go"): "package mlcore\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &setup.Tools{Project: p, Python: p.Path("python.sh")}, nb
}

// startKernel starts a process in a group of its own, as kernels are, and keeps
// its id in the file kernel.pid.
const startKernel = `
setsid sleep 1000 </dev/null >/dev/null 2>&1 &
echo $! > "$(dirname "$0")/kernel.pid"
echo '{"event": "kernel", "pid": '$!'}'
echo '{"event": "cell", "cell": 1}'
`

// gone waits until the kernel that a script started is dead.
func gone(t *testing.T, tools *setup.Tools) {
	t.Helper()
	b, err := os.ReadFile(tools.Project.Path("kernel.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	dies(t, pid)
}

// dies waits for the death of a process, and sees to it.
func dies(t *testing.T, pid int) {
	t.Helper()
	if !waits.Until(t, func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid) }) {
		syscall.Kill(pid, syscall.SIGKILL)
		t.Errorf("process %d survived", pid)
	}
}

// zombie says whether a process is dead but not yet collected, as orphans are in
// containers whose first process does not collect them.
func zombie(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return strings.HasPrefix(rest, "Z")
}

func TestNotebookRuns(t *testing.T) {
	tools, nb := fake(t, startKernel+`
echo '{"event": "cell", "cell": 2}'
echo 'noise on the line'
sed 's#"outputs": \[\]#"outputs": [{"output_type": "stream", "name": "stdout", "text": "ran in '"$4"'"}]#' "$2" > "$3"
echo '{"event": "done"}'
`)
	var seen []string
	res, err := Notebook(context.Background(), tools, nb.Path, []byte(twoCells), Options{Progress: func(n, total int) { seen = append(seen, fmt.Sprint(n, "/", total)) }})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(seen, " "); got != "1/2 2/2" {
		t.Errorf("progress %s", got)
	}
	// Old outputs are not handed to the run, and paths are the project's.
	if out := res.Cells[1].Outputs; len(out) != 1 || !strings.Contains(out[0].Text, "ran in mllabs/notebooks/c") {
		t.Errorf("outputs %+v", out)
	}
	if *res.Cells[2].ExecutionCount != 2 {
		t.Errorf("count %d", *res.Cells[2].ExecutionCount)
	}
	gone(t, tools)
}

func TestNotebookFails(t *testing.T) {
	finish := `cp "$2" "$3"` + "\n"
	for _, c := range []struct{ name, script, kind, want string }{
		{"error", finish + `echo '{"event": "failed", "kind": "error", "cell": 2, "text": "ERROR: exit status 2"}'; exit 1`, "error", "cell 3 (id second) failed:\n    ERROR: exit status 2"},
		{"hang", finish + `echo '{"event": "failed", "kind": "timeout", "cell": 1}'; exit 1`, "timeout", "cell 2 (id first) took longer than 1m0s"},
		{"much text", finish + `echo '{"event": "failed", "kind": "output", "cell": 1, "text": "text"}'; exit 1`, "output", "cell 2 (id first) printed more than 1 MB of text"},
		{"many figures", finish + `echo '{"event": "failed", "kind": "output", "cell": 1, "text": "data"}'; exit 1`, "output", "cell 2 (id first) showed figures or tables of more than 16 MB"},
		{"late output", finish + `echo '{"event": "failed", "kind": "late", "cell": 1}'; exit 1`, "late", "cell 2 (id first): its output was still arriving 1m0s after its end"},
		{"death", finish + `echo '{"event": "failed", "kind": "died", "cell": 1, "text": "Kernel died"}'; exit 1`, "died", "cell 2 (id first): the kernel died"},
		{"no start", finish + `echo '{"event": "failed", "kind": "start", "cell": -1, "text": "no kernel"}'; exit 1`, "start", "the kernel did not start:\n    no kernel"},
		{"runner breaks", `echo Traceback >&2; echo 'ModuleNotFoundError: nbclient' >&2; exit 1`, "", "broke off: exit status 1:\n    Traceback\n    ModuleNotFoundError: nbclient"},
		{"runner lies", `echo '{"event": "done"}'`, "", "out.ipynb"},
		{"runner is killed", `kill -9 $$`, "", "signal: killed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools, nb := fake(t, startKernel+c.script)
			_, err := Notebook(context.Background(), tools, nb.Path, []byte(twoCells), Options{Timeout: time.Minute})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %q in it", err, c.want)
			}
			var cell *CellError
			if errors.As(err, &cell) != (c.kind != "") || cell != nil && cell.Kind != c.kind {
				t.Errorf("error %#v", err)
			}
			if b, err := os.ReadFile(nb.Path); err != nil || string(b) != twoCells {
				t.Error("the notebook was touched")
			}
			gone(t, tools)
		})
	}
}

// A cell that would end without a word, or wait for ever, is not even begun.
func TestNotebookWithATrap(t *testing.T) {
	for code, want := range map[string]string{
		"os.Exit(0)":     "cell 3 (id second): os.Exit ends the cell's program",
		"fmt.Scanln(&n)": "cell 3 (id second): fmt.Scanln waits for input",
	} {
		tools, nb := fake(t, `touch "$(dirname "$0")/ran"`)
		file := strings.Replace(twoCells, `"source": "b"`, `"source": "`+code+`"`, 1)
		_, err := Notebook(context.Background(), tools, nb.Path, []byte(file), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), want) || project.Exists(tools.Project.Path("ran")) {
			t.Errorf("%s: error %v", code, err)
		}
	}
}

// Ctrl-C while a cell hangs: the runner does not listen, and still all end.
func TestInterrupt(t *testing.T) {
	tools, nb := fake(t, `trap '' INT TERM HUP`+startKernel+`sleep 1000`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := Notebook(ctx, tools, nb.Path, []byte(twoCells), Options{Progress: func(int, int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	gone(t, tools)
	if b, err := os.ReadFile(nb.Path); err != nil || string(b) != twoCells {
		t.Error("the notebook was touched")
	}
}

func TestCached(t *testing.T) {
	tools, nb := fake(t, startKernel+`
echo run >> "$(dirname "$0")/runs"
cp "$2" "$3"
echo '{"event": "done"}'`)
	runs := func() int {
		b, _ := os.ReadFile(tools.Project.Path("runs"))
		return strings.Count(string(b), "run")
	}
	through := "kernel"
	call := func(fresh bool, want int) *notebook.Notebook {
		t.Helper()
		before := runs()
		res, ran, err := Cached(tools.Project, key.Open(tools.Project), nb, fresh, through == "kernel", func(file []byte, _ *notebook.Notebook) (*notebook.Notebook, error) {
			return Notebook(context.Background(), tools, nb.Path, file, Options{})
		})
		if err != nil || runs() != want || ran != (want > before) {
			t.Fatalf("%d runs, want %d, the last one by this call: %v, error %v", runs(), want, ran, err)
		}
		return res
	}
	edit := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := tools.Project
	for name, text := range map[string]string{
		"notebooks/go.mod": "module m\n", "scripts/go.mod": "module m\n", "mlcore/a.go": "package mlcore\n", "scripts/lab/internal/run/run.go": "package run\n", "notebooks/nbkit/harness/harness.go": "package harness\n", "mlcore/other/b.go": "package other\n",
	} {
		edit(p.Path(filepath.FromSlash(name)), text)
	}
	call(false, 1)
	call(false, 1) // nothing changed
	edit(nb.Path, strings.Replace(twoCells, `"text": "old"`, `"text": "other"`, 1))
	call(false, 1) // outputs are not a source
	edit(nb.Path, strings.Replace(twoCells, `{"cell_type": "markdown", "id": "m", "metadata": {}, "source": "# T"}`,
		`{"cell_type": "markdown", "id": "m", "metadata": {}, "source": "# New"}, {"cell_type": "markdown", "id": "n", "metadata": {}, "source": "prose"}`, 1))
	res := call(false, 1) // nor is prose, but it is shown
	if kept := Kept(tools.Project, key.Open(tools.Project), nb); kept == nil || len(kept.Cells) != 4 || len(res.Cells) != 4 || kept.Cells[0].Source != "# New" || res.Cells[0].Source != "# New" ||
		len(kept.Cells[2].Outputs) != 0 { // as the run left them
		t.Errorf("after an edit of prose: %+v and %+v", kept, res)
	}
	edit(nb.Path, strings.Replace(twoCells, `"id": "second", "metadata": {}`, `"id": "second", "metadata": {"tags": ["raises-exception"]}`, 1))
	call(false, 2) // a cell that is meant to fail, or no longer
	edit(nb.Path, strings.Replace(twoCells, `"source": "b"`, `"source": "import _ \"`+project.Module+`/mlcore\""`, 1))
	call(false, 3)
	edit(p.Path("mlcore", "other", "b.go"), "package other\n\nvar x int\n")
	call(false, 3) // no cell imports it
	edit(p.Path("mlcore", "a.go"), "package mlcore // changed\n")
	call(false, 3) // a comment is no code
	edit(p.Path("mlcore", "a.go"), "package mlcore\n\nvar x int\n")
	call(false, 4)
	call(true, 5)
	edit(p.Lab("runs", "c", "n.ipynb"), "{") // a damaged file is not used
	call(false, 6)
	through = "" // a program would do, and what came through the kernel does as well
	call(false, 6)
	call(true, 7)
	through = "kernel" // what a program gave is not what the kernel gives
	call(false, 8)
	call(false, 8)
}
