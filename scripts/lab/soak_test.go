//go:build linux

package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// The full soak: go test ./scripts/lab -run TestSoak -v -timeout 2h -soak 200
var soakKills = flag.Int("soak", 4, "how often TestSoak ends the tool at a random moment")

const soakMark = "MLLABS_SOAK"

// A soak is a small checkout with the real kernel, one notebook and nothing else
// in it that takes long.
type soak struct {
	t         *testing.T
	root, tmp string
	mark      string
	env       []string
	tracked   map[string]string // the files that must not change, but for the notebook
	old, new  string            // the notebook, before and after a run
	wdbc, uci string            // what data fetch and uci write
}

const soakNotebook = "notebooks/lab3/99_soak.ipynb"

func newSoak(t *testing.T) *soak {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	here, err := project.Find(wd)
	if err != nil {
		t.Fatal(err)
	}
	if !project.Exists(here.Lab("python.json")) && os.Getenv("CI") == "" {
		t.Skip("needs the kernel; go run ./scripts/lab setup sets it up")
	}
	wdbc, err := datasets.ReadFile("wdbc", "wdbc.data")
	if err != nil {
		t.Fatal(err)
	}
	s := &soak{t: t, root: filepath.Join(t.TempDir(), "checkout"), tmp: t.TempDir(), wdbc: string(wdbc), mark: fmt.Sprint(os.Getpid(), "-", time.Now().UnixNano())}
	for _, name := range []string{"go.work", "go.mod", "go.sum", "notebooks/go.mod", "notebooks/go.sum", "scripts/go.mod", "scripts/go.sum", "scripts/lab/requirements.txt", "scripts/lab/typst-requirements.txt"} {
		s.write(name, must(os.ReadFile(here.Path(name)))(t))
	}
	for _, dir := range []string{"mlcore", "datasets", "notebooks/atomicfile", "notebooks/nbkit", "notebooks/peers", "notebooks/closure", "scripts/lab/internal"} {
		if err := os.CopyFS(filepath.Join(s.root, dir), os.DirFS(here.Path(dir))); err != nil {
			t.Fatal(err)
		}
	}
	os.RemoveAll(filepath.Join(s.root, "datasets", "files"))
	s.old = s.notebook()
	s.write(soakNotebook, []byte(s.old))
	// Python's packages are taken from this checkout, as the system's would be; the kernel
	// is built anew.
	s.write(".lab/python.json", bytes.Replace(must(os.ReadFile(here.Lab("python.json")))(t), []byte(`"via":"pip"`), []byte(`"via":"apt"`), 1))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(wdbc)))
		for rest := wdbc; len(rest) > 0; {
			n, err := w.Write(rest[:min(len(rest), 4096)])
			if err != nil {
				return
			}
			w.(http.Flusher).Flush()
			rest = rest[n:]
			time.Sleep(10 * time.Millisecond)
		}
	}))
	t.Cleanup(server.Close)
	s.env = append(os.Environ(), beTheTool+"=1", soakMark+"="+s.mark, homeOfData+"="+server.URL, "TMPDIR="+s.tmp,
		"GONB_DIR=", "MLLABS_DATASETS=", "MLLABS_OFFLINE=", "CI=")
	s.tracked = s.files()
	return s
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (s *soak) path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

func (s *soak) write(name string, text []byte) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), text, 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// read is a file's text, "" for none.
func (s *soak) read(name string) string {
	b, _ := os.ReadFile(s.path(name))
	return string(b)
}

// notebook prints, shows a figure and starts a process that leaves the group.
func (s *soak) notebook() string {
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		{Type: "markdown", Source: "# Soak\n\n$\\sum_i x_i$"},
		{Type: "code", Source: "import (\n\t\"fmt\"\n\t\"os/exec\"\n\t\"syscall\"\n\n\t\"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n)\n\nvar _ = nbkit.Notebook(\"lab3/99_soak\")"},
		{Type: "code", Source: "%%\ncmd := exec.Command(\"sleep\", \"1000\")\ncmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}\nnbkit.Must(0, cmd.Start())"},
		{Type: "code", Source: "%%\nfor i := range 1000 {\n\tfmt.Println(i)\n}"},
	}}
	nb.Canonicalise()
	return string(must(nb.Encode())(s.t))
}

func (s *soak) lab(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir, cmd.Env = s.root, s.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// files are the texts of the checkout's files, but for those that git ignores and
// the notebook.
func (s *soak) files() map[string]string {
	s.t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(path, s.root)), "/")
		switch {
		case name == ".lab", name == "dist", name == "datasets/files":
			return filepath.SkipDir
		case !d.IsDir() && name != soakNotebook && !strings.HasPrefix(name, "uci.json"):
			list[name] = string(must(os.ReadFile(path))(s.t))
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

// whole says what of the checkout is neither as it was nor as it should become.
func (s *soak) whole() (wrong []string) {
	for name, text := range s.files() {
		if s.tracked[name] != text && !strings.Contains(name, ".tmp-") && name != key.SumsFile {
			wrong = append(wrong, name+" was changed")
		}
	}
	for name := range s.tracked {
		if !project.Exists(s.path(name)) {
			wrong = append(wrong, name+" is gone")
		}
	}
	for name, good := range map[string][]string{
		soakNotebook:               {s.old, s.new},
		"datasets/files/wdbc.data": {"", s.wdbc},
		"uci.json":                 {"", s.uci},
	} {
		if text := s.read(name); text != good[0] && text != good[1] {
			wrong = append(wrong, fmt.Sprintf("%s is not whole: %d bytes", name, len(text)))
		}
	}
	if _, err := key.ReadSums(project.Project{Root: s.root}); err != nil {
		wrong = append(wrong, err.Error())
	}
	for _, name := range []string{"dist/mllabs", "dist/lab3/99_soak"} {
		if page := s.read(name + ".html"); page != "" && !strings.HasSuffix(page, "</html>\n") {
			wrong = append(wrong, name+".html is cut short")
		}
		if pdf := s.read(name + ".pdf"); pdf != "" && !strings.Contains(pdf[max(0, len(pdf)-64):], "%%EOF") {
			wrong = append(wrong, name+".pdf is cut short")
		}
	}
	return wrong
}

// processes are those that the tool has started, and the tool.
func (s *soak) processes() (list []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		if env, err := os.ReadFile(filepath.Join(dir, "environ")); err == nil && bytes.Contains(env, []byte(soakMark+"="+s.mark)) {
			line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			list = append(list, filepath.Base(dir)+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return list
}

// gone waits until nothing that the tool has started is left: when it is killed,
// others have to notice.
func (s *soak) gone() []string {
	var left []string
	for range 300 {
		if left = s.processes(); len(left) == 0 {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return left
}

// The tool is ended at random moments, by signals in order and by force. Nothing
// is lost, no process stays, and a last call of each command, which is left in
// peace, does its work and leaves nothing behind.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	s := newSoak(t)
	commands := []struct {
		args  []string
		again func() // what makes the command do its work once more
		took  time.Duration
	}{
		{args: []string{"run"}, again: func() { s.write(soakNotebook, []byte(s.old)) }},
		{args: []string{"reports", "--fresh"}, again: func() { os.RemoveAll(s.path("dist")) }},
		{args: []string{"uci", "--only", "C/AB,C/NB", "--repeats", "20", "--json", "uci.json"}, again: func() {
			if project.Exists(s.path("uci.json")) {
				os.Remove(s.path("uci.json"))
			}
		}},
		{args: []string{"data", "fetch", "wdbc"}, again: func() { os.Remove(s.path("datasets/files/wdbc.data")) }},
	}
	inPeace := func(when string) {
		for i, c := range commands {
			c.again()
			cmd, out := s.lab(c.args...)
			begin := time.Now()
			if err := cmd.Run(); err != nil {
				t.Fatalf("%s, lab %s: %v\n%s", when, strings.Join(c.args, " "), err, out)
			}
			commands[i].took = time.Since(begin)
			t.Logf("%s: lab %s took %v", when, c.args[0], commands[i].took.Round(time.Millisecond))
		}
	}
	if out, err := s.lab("setup"); out.Run() != nil {
		t.Fatalf("set-up: %s", err)
	}
	inPeace("before")
	s.new, s.uci = s.read(soakNotebook), s.read("uci.json")
	if s.new == s.old || s.uci == "" || s.read("datasets/files/wdbc.data") != s.wdbc {
		t.Fatal("the commands did not do their work")
	}
	r := rand.New(rand.NewPCG(1, 2))
	ways := map[string][]syscall.Signal{
		"SIGKILL": {syscall.SIGKILL}, "SIGTERM": {syscall.SIGTERM}, "SIGINT": {syscall.SIGINT}, "SIGINT twice": {syscall.SIGINT, syscall.SIGINT},
	}
	names := []string{"SIGKILL", "SIGTERM", "SIGINT", "SIGINT twice"}
	ended, finished := map[string]int{}, 0
	for i := range *soakKills {
		c, way := commands[i%len(commands)], names[r.IntN(len(names))]
		what := fmt.Sprintf("%d: %s in lab %s", i+1, way, c.args[0])
		c.again()
		cmd, out := s.lab(c.args...)
		begin := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Float64() * float64(c.took)))
		for _, signal := range ways[way] {
			cmd.Process.Signal(signal)
			time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
		}
		if cmd.Wait() == nil {
			finished++
		}
		ended[c.args[0]+" by "+way]++
		t.Logf("%s after %v, %v", what, time.Since(begin).Round(time.Millisecond), cmd.ProcessState)
		if left := s.gone(); len(left) > 0 {
			t.Fatalf("%s: processes are left:\n%s\n%s", what, strings.Join(left, "\n"), out)
		}
		if wrong := s.whole(); len(wrong) > 0 {
			t.Fatalf("%s: %s\n%s", what, strings.Join(wrong, "; "), out)
		}
	}
	inPeace("after")
	if s.read(soakNotebook) != s.new || s.read("uci.json") != s.uci || s.read("datasets/files/wdbc.data") != s.wdbc {
		t.Error("the last calls wrote other results than the first")
	}
	left, _ := filepath.Glob(filepath.Join(s.tmp, "*"))
	err := filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), ".tmp-") {
			left = append(left, path)
		}
		return err
	})
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	t.Logf("%d ends, %d of them after the work was done: %v", *soakKills, finished, ended)
}
