//go:build unix

package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
)

// All of them: go test ./scripts/lab -run TestKilled -v -timeout 1h -kills 50
var kills = flag.Int("kills", 6, "how often each of the TestKilled tests kills the tool")

// A killer ends the tool at moments that are the same draws in each run of the tests.
type killer struct {
	random *rand.Rand
	whole  time.Duration // that a run takes which nobody disturbs
	early  int           // how many runs were killed before their end
}

func newKiller(whole time.Duration) *killer {
	return &killer{random: rand.New(rand.NewPCG(1, 2)), whole: whole}
}

// kill starts the tool and kills it. In every other run that is some time after begun
// first reports that the tool has begun to write, and else at any time.
func (k *killer) kill(t *testing.T, turn int, cmd *exec.Cmd, begun func() bool) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	wait := time.Duration(k.random.Int64N(int64(k.whole)))
	if turn%2 == 1 {
		for !begun() && len(ended) == 0 {
			time.Sleep(time.Millisecond / 2)
		}
		wait /= 4
	}
	select {
	case err := <-ended:
		ended <- err
	case <-time.After(wait):
	}
	cmd.Process.Kill()
	if <-ended != nil {
		k.early++
	}
}

// done says how the kills went, and wants some before the tool's end.
func (k *killer) done(t *testing.T) {
	t.Helper()
	t.Logf("%d kills, %d of them before the end; a run takes %v", *kills, k.early, k.whole.Round(time.Millisecond))
	if k.early == 0 {
		t.Error("every run had ended before it was killed")
	}
}

// listing names what is in folders, and what the files hold.
func listing(t *testing.T, dirs ...string) string {
	t.Helper()
	var b strings.Builder
	for i, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(dir, path)
			fmt.Fprintf(&b, "%d %s", i, filepath.ToSlash(rel))
			if d.Type().IsRegular() {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, " %x", sha256.Sum256(text))
			}
			fmt.Fprintln(&b)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// without is the lines of a listing that another has not.
func without(a, b string) string {
	lines := strings.SplitAfter(a, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(b, line) }), "")
}

// exists says whether something stands at a path, if only a link.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// found says whether something fits a pattern.
func found(pattern string) bool {
	all, _ := filepath.Glob(pattern)
	return len(all) > 0
}

// Killed at any moment, a hand-out leaves a folder and a zip file that are whole, or none,
// and the next one writes both and leaves nothing else.
func TestKilledHandOut(t *testing.T) {
	m := newMachine(t, nil)
	files := map[string]string{
		"go.work":                    "go 1.26\n\nuse (\n\t.\n\t./notebooks\n\t./scripts\n)\n",
		"notebooks/go.mod":           "module github.com/mllabs-go/mllabs/notebooks\n\ngo 1.26\n",
		"notebooks/nbkit/doc.go":     "package nbkit\n",
		"notebooks/lab3/01_x.ipynb":  strings.Replace(cleanNotebook(t, "lab3/01_x"), `"edition": 1`, `"edition": 2`, 1),
		"datasets/doc.go":            "package datasets\n\nimport \"embed\"\n\n//go:embed *.csv\nvar files embed.FS\n",
		"scripts/lab/main.go":        "package main\n\nfunc main() {}\n",
		"datasets/files/NOTICE.md":   "Data.\n",
		"LICENSE":                    "MIT\n",
		"notebooks/lab3/README.md":   "# Lab\n",
		"scripts/lab/lab_windows.go": "package main\n",
	}
	random := rand.New(rand.NewPCG(3, 4)) // numbers that zip has work with
	for i := range 60 {
		var b strings.Builder
		for range 4000 {
			fmt.Fprintf(&b, "%v\n", random.Float64())
		}
		files[fmt.Sprintf("datasets/%d.csv", i)] = b.String()
	}
	for name, text := range files {
		m.write(filepath.Join(m.root, filepath.FromSlash(name)), text, 0o644)
	}
	parent, tmp := t.TempDir(), t.TempDir()
	out := filepath.Join(parent, "out")
	env := []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + tmp, "GOFLAGS=", "GOWORK=", "GOPROXY=off",
		"GOTMPDIR=" + t.TempDir()} // a go command that loses its reader leaves a folder there
	handOut := []string{"exercises", "--out", out}
	again := func() {
		t.Helper()
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(out + ".zip"); err != nil {
			t.Fatal(err)
		}
	}
	inPeace := func() string {
		t.Helper()
		again()
		if code, text := m.run(env, handOut...); code != 0 {
			t.Fatalf("a hand-out that nobody disturbs ends with %d\n%s", code, text)
		}
		return listing(t, parent, tmp)
	}
	inPeace() // the go command's cache is filled
	start := time.Now()
	want := inPeace()
	k := newKiller(time.Since(start))
	folder, archive := listing(t, out), unzipped(t, out+".zip")
	for i := range *kills {
		again()
		var text bytes.Buffer
		k.kill(t, i, m.lab(&text, env, handOut...), func() bool { return found(filepath.Join(parent, ".out.tmp-*")) })
		if exists(out) && listing(t, out) != folder {
			t.Fatalf("kill %d left a part of the folder\n%s", i+1, text.String())
		}
		if exists(out+".zip") && unzipped(t, out+".zip") != archive {
			t.Fatalf("kill %d left a part of the zip file\n%s", i+1, text.String())
		}
		if i%3 == 2 || i == *kills-1 { // kills follow on kills
			if got := inPeace(); got != want {
				t.Fatalf("after kill %d there is beside what there should be\n%s\nand lacks\n%s", i+1, without(got, want), without(want, got))
			}
		}
	}
	k.done(t)
}

// unzipped lists the files of an archive, all of which can be read.
func unzipped(t *testing.T, name string) string {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var b strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("%s in %s: %v", f.Name, name, err)
		}
		r.Close()
		fmt.Fprintf(&b, "%s %x\n", f.Name, sha256.Sum256(text))
	}
	return b.String()
}

// Killed at any moment, while its server sends, has stopped sending or has broken off, a
// fetch leaves a file that is whole, or none, and the next one fetches it and leaves
// nothing else.
func TestKilledFetch(t *testing.T) {
	const name = "wdbc.data"
	data, err := datasets.ReadFile("wdbc", name)
	if err != nil {
		t.Fatal(err)
	}
	manner := make(chan string, 1)
	manner <- "sends"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		how := <-manner
		manner <- how
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		for rest := data; len(rest) > 0; {
			if how != "sends" && len(rest) < len(data)/2 {
				if how == "stalls" {
					<-r.Context().Done()
				}
				panic(http.ErrAbortHandler)
			}
			n, err := w.Write(rest[:min(len(rest), 4096)])
			if err != nil {
				return
			}
			w.(http.Flusher).Flush()
			rest = rest[n:]
			time.Sleep(5 * time.Millisecond)
		}
	}))
	defer server.Close()
	m := newMachine(t, nil)
	tmp := t.TempDir()
	files := filepath.Join(m.root, "datasets", "files")
	file := filepath.Join(files, name)
	env := []string{homeOfData + "=" + server.URL, "TMPDIR=" + tmp, "GONB_DIR=", datasets.EnvFolder + "=", "MLLABS_OFFLINE="}
	inPeace := func() string {
		t.Helper()
		<-manner
		manner <- "sends"
		if code, text := m.run(env, "data", "fetch", "wdbc"); code != 0 {
			t.Fatalf("a fetch that nobody disturbs ends with %d\n%s", code, text)
		}
		return listing(t, files, tmp)
	}
	start := time.Now()
	want := inPeace()
	k := newKiller(time.Since(start))
	for i := range *kills {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		<-manner
		manner <- []string{"sends", "stalls", "breaks off"}[i/2%3]
		var text bytes.Buffer
		k.kill(t, i, m.lab(&text, env, "data", "fetch", "wdbc"), func() bool { return exists(filepath.Join(files, "."+name+".part")) })
		if got, err := os.ReadFile(file); err == nil && !bytes.Equal(got, data) {
			t.Fatalf("kill %d left %d of %d bytes\n%s", i+1, len(got), len(data), text.String())
		}
		if got := inPeace(); got != want {
			t.Fatalf("after kill %d there is beside what there should be\n%s\nand lacks\n%s", i+1, without(got, want), without(want, got))
		}
	}
	k.done(t)
}

// A slow Python: venv and pip take their time, and what they have done by halves does not
// work. An environment holds a copy of the requirements that it was made from.
const (
	slowPython = `
case "$*" in
*sys.executable*) echo "$0";;
"-m venv "*) sleep 0.02; mkdir -p "$3/bin"; sleep 0.02; printf half > "$3/bin/python"; chmod +x "$3/bin/python"; sleep 0.02; cp "$MACHINE/runner" "$3/bin/python";;
esac`
	slowPip = `
case "$*" in
*"pip install"*)
	for file; do :; done
	printf half > "$0.txt"; sleep 0.05; cp "$file" "$0.txt"; sleep 0.02; exit 0;;
esac`
)

// Killed at any moment, set-up leaves an environment that works, and the next one brings
// it up to date.
func TestKilledSetUp(t *testing.T) {
	m := newMachine(t, map[string]string{"python3": slowPython, "runner": slowPip + goodRunner})
	requirements := filepath.Join(m.root, "scripts", "lab", "requirements.txt")
	installed := func() string { return m.read(".venv/bin/python.txt") }
	complete := func() []string {
		all, _ := filepath.Glob(filepath.Join(m.root, ".lab", "python", "*", "mllabs.json"))
		return all
	}
	heal := func(want string) {
		t.Helper()
		if code, out := m.run(nil, "setup", "--via", "pip"); code != 0 || installed() != want {
			t.Fatalf("set-up ends with %d, .venv was made from %q, want %q\n%s", code, installed(), want, out)
		}
	}
	heal("nbclient==1\n")
	text := "nbclient==1.0\n"
	m.write(requirements, text, 0o644)
	start := time.Now()
	heal(text)
	k := newKiller(time.Since(start))

	works := map[string]bool{text: true}
	for i := range *kills {
		text = fmt.Sprintf("nbclient==1.%d\n", i+1)
		m.write(requirements, text, 0o644)
		works[text] = true
		var out bytes.Buffer
		// What is new is complete, and the link is about to be swapped.
		k.kill(t, i, m.lab(&out, nil, "setup", "--via", "pip"), func() bool {
			return exists(filepath.Join(m.root, ".venv.next")) || len(complete()) > 1
		})
		if got := installed(); !works[got] {
			t.Fatalf("after kill %d .venv was made from %q\n%s", i+1, got, out.String())
		}
		if i%5 == 4 {
			heal(text)
		}
	}
	heal(text)
	heal(text) // an environment stays until the set-up after that which made another
	k.done(t)
	entries, err := os.ReadDir(filepath.Join(m.root, ".lab", "python"))
	if err != nil || len(entries) != 1 {
		t.Errorf("left in .lab/python: %v, %v", entries, err)
	}
	links, err := filepath.Glob(filepath.Join(m.root, ".venv*"))
	if err != nil || len(links) != 1 || strings.HasSuffix(links[0], ".next") {
		t.Errorf("left beside .venv: %v, %v", links, err)
	}
}
