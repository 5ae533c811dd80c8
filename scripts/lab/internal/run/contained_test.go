//go:build linux

package run

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// box is a sandbox. Where there is none the test is skipped, but not with CI set.
func box(t *testing.T) sandbox.Runner {
	t.Helper()
	r, err := sandbox.Find(context.Background())
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("needs a sandbox: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	return r
}

// hostileCell tries what a stranger's cell might, and prints what it got.
const hostileCell = `package main

func tried(what string, err error) {
	if err == nil {
		fmt.Println("broke:", what)
	} else {
		fmt.Println("held:", what)
	}
}

func nobody() { time.Sleep(time.Hour) }

%%
tried("network", func() error { _, err := net.DialTimeout("tcp", "ADDRESS", 5*time.Second); return err }())
for _, name := range []string{"ROOT/.git/HEAD", "ROOT/README.md", "ROOT/notebooks/lab3/02_decision_trees.ipynb", "ROOT/.lab/python.json", "SECRET", "HOME", "/etc/passwd", "/etc/shadow"} {
	_, err := os.Stat(name)
	tried("read "+name, err)
}
for _, dir := range []string{"ROOT/mlcore", "ROOT/notebooks/lab3", "ROOT/.lab/bin", "ROOT", "CACHE"} {
	tried("write to "+dir, os.WriteFile(dir+"/mllabs-hostile", nil, 0o600))
}
tried("parent", syscall.Kill(PARENT, 0))
environ, _ := filepath.Glob("/proc/[0-9]*/environ")
for _, name := range append(environ, "/proc/1/cmdline") {
	if b, err := os.ReadFile(name); err == nil && strings.Contains(string(b), "mllabs-secret") {
		fmt.Println("broke: secret")
	}
}
child := exec.Command("sleep", "MARK")
child.Env = []string{}
child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
tried("no child", map[bool]error{true: errors.New("none")}[child.Start() == nil])
namespace := exec.Command("true")
namespace.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
tried("namespace", namespace.Run())
// The runner's report is what becomes of the notebook.
reports, _ := filepath.Glob("/proc/[0-9]*/fd/3")
for _, name := range reports {
	if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
		fmt.Fprint(f, "{")
		f.Close()
	}
}
fmt.Println("end")`

// A stranger's cells do their work, and no harm.
func TestContained(t *testing.T) {
	tools, sandbox := realTools(t), box(t)
	p := tools.Project
	t.Setenv("MLLABS_TEST_SECRET", "mllabs-secret")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	golang, err := goFolders(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	home, _ := os.UserHomeDir()
	seconds := strconv.Itoa(100_000_000 + os.Getpid()) // by which the survivor is known
	statements := strings.NewReplacer("ADDRESS", listener.Addr().String(), "ROOT", p.Root, "SECRET", secret, "HOME", home+"/.profile", "CACHE", golang.GOCACHE+"/00",
		"PARENT", strconv.Itoa(os.Getpid()), "MARK", seconds).Replace(strings.TrimPrefix(hostileCell, "package main\n"))
	functions, statements, _ := strings.Cut(statements, "%%\n")
	imports := `"errors"; "fmt"; "net"; "os"; "os/exec"; "path/filepath"; "strings"; "syscall"; "time"`
	file := codeNotebook(t, imports, statements)
	nb, err := notebook.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	declarations := *nb.Cells[0]
	declarations.ID, declarations.Source = "functions", functions
	nb.Cells = slices.Insert(nb.Cells, 1, &declarations)
	if file, err = nb.Encode(); err != nil {
		t.Fatal(err)
	}
	res, err := Notebook(context.Background(), tools, p.Path("notebooks", "lab3", "stranger.ipynb"), file, Options{Timeout: waits.Long, Sandbox: sandbox})
	if err != nil {
		t.Fatal(err)
	}
	output := ""
	for _, o := range res.Cells[2].Outputs {
		output += o.Text
	}
	if strings.Contains(output, "broke") || strings.Count(output, "held") != 17 || !strings.HasSuffix(output, "end\n") {
		t.Errorf("%s", output)
	}
	for _, dir := range []string{p.Path("mlcore"), p.Path("notebooks", "lab3"), p.Lab("bin"), p.Root, golang.GOCACHE + "/00"} {
		if project.Exists(filepath.Join(dir, "mllabs-hostile")) {
			t.Errorf("a cell wrote to %s", dir)
		}
	}
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil && bytes.Contains(b, []byte("sleep\x00"+seconds)) {
			t.Errorf("%s survived", name)
		}
	}
}

// A notebook of the course comes out of the sandbox as it stands in the repository,
// which was run without one.
func TestContainedNotebook(t *testing.T) {
	tools, sandbox := realTools(t), box(t)
	path := tools.Project.Path("notebooks", "lab3", "01_nearest_neighbours.ipynb")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Notebook(context.Background(), tools, path, file, Options{Sandbox: sandbox})
	if err != nil {
		t.Fatal(err)
	}
	want, err := notebook.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range want.Cells {
		if c.HasTag(notebook.TagVolatile) { // it prints how long something took
			continue
		}
		got := res.Cells[i].Outputs
		if len(got) != len(c.Outputs) || len(got) > 0 && !reflect.DeepEqual(got, c.Outputs) { // no list is an empty one
			t.Errorf("cell %s has other outputs", c.ID)
		}
	}
}

// What a cell takes too much of ends the run, and the error names the cell.
func TestContainedLimits(t *testing.T) {
	tools, sandbox := realTools(t), box(t)
	for name, c := range map[string]struct{ imports, statements, want string }{
		"many files":   {`"fmt"; "os"`, "for i := 0; ; i++ { os.WriteFile(fmt.Sprint(\"/tmp/\", i), nil, 0o600) }", "made too many files"},
		"a massacre":   {`"syscall"`, "syscall.Kill(-1, syscall.SIGKILL)\nselect {}", "killed"},
		"a wrong cell": {`"fmt"`, "fmt.Println(x)", "undefined: x"},
		"a long cell":  {`"fmt"`, "for i := 0; ; i++ { if i < 0 { fmt.Println(i) } }", "cell 2 (id cell-02) took longer than 8s"},
	} {
		file := codeNotebook(t, c.imports, c.statements)
		o := Options{Timeout: waits.Long, Sandbox: sandbox}
		if name == "a long cell" {
			o.Timeout = 8 * time.Second
		}
		_, err := Notebook(context.Background(), tools, filepath.Join(t.TempDir(), "n.ipynb"), file, o)
		var cell *CellError
		if !errors.As(err, &cell) || cell.Index != 1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Cells that are not those of the notebook do not come back.
func TestTakeOutputs(t *testing.T) {
	parse := func(text string) *notebook.Notebook {
		t.Helper()
		nb, err := notebook.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return nb
	}
	for name, change := range map[string][2]string{
		"a source": {`"source": "b"`, `"source": "c"`},
		"an ID":    {`"id": "second"`, `"id": "third"`},
		"a type":   {`"cell_type": "markdown"`, `"cell_type": "raw"`},
		"a cell":   {`{"cell_type": "markdown", "id": "m", "metadata": {}, "source": "# T"},`, ""},
	} {
		text := strings.Replace(twoCells, change[0], change[1], 1)
		if text == twoCells {
			t.Fatalf("%s: nothing is changed", name)
		}
		if err := takeOutputs(parse(twoCells), parse(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	nb := parse(twoCells)
	if err := takeOutputs(nb, parse(strings.Replace(twoCells, `"old"`, `"new"`, 1))); err != nil || nb.Cells[1].Outputs[0].Text != "new" {
		t.Errorf("outputs %+v, error %v", nb.Cells[1].Outputs, err)
	}
}

// Of the checkout's notebooks nothing is to be seen but packages.
func TestWithoutNotebooks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "a/a.go", "a/in/b.go", "c/c.go", "c/01_n.ipynb", "c/exercises/01_n.ipynb", "c/table.csv", "c/in/d.go", ".hidden/e.go", "f/.secret", "f/f.go"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	paths, err := withoutNotebooks(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range paths {
		rel, _ := filepath.Rel(dir, path)
		got = append(got, filepath.ToSlash(rel))
	}
	slices.Sort(got)
	if want := []string{"a", "c/c.go", "c/in", "c/table.csv", "f/f.go", "go.mod"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
