package examples

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// The programs are how short the library lets its users be. Lines are those of
// declarations, without the package clause, imports, comments and blank lines; in
// scikit-learn the five tasks take about 22, 26, 13, 14 and 14.
func TestLines(t *testing.T) {
	limits := map[string]int{"train": 40, "predict": 20, "search": 35, "clusters": 30, "compare": 20, "serve": 35}
	folders, err := filepath.Glob("*/main.go")
	if err != nil || len(folders) != len(limits) {
		t.Fatalf("programs %q, want %d: %v", folders, len(limits), err)
	}
	for _, path := range folders {
		lines := make(map[int]bool)
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if n != nil {
					lines[set.Position(n.Pos()).Line], lines[set.Position(n.End()-1).Line] = true, true
				}
				return true
			})
		}
		name := filepath.Dir(path)
		t.Logf("%s: %d lines", name, len(lines))
		if len(lines) > limits[name] {
			t.Errorf("%s has %d lines, want at most %d: what should the library do for its author?", name, len(lines), limits[name])
		}
	}
}

// folder is a place with the programs and the tables that they read.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	data := filepath.Join(dir, "mlcore", "testdata")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"flats.csv", "new_flats.csv"} {
		text, err := os.ReadFile(filepath.Join("..", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(data, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "./...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// program is a command in the folder, which looks for data where this test does.
func program(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(dir, name), args...)
	c.Dir = dir
	return c
}

func TestPrograms(t *testing.T) {
	dir := folder(t)
	for _, step := range []struct {
		name, want string
		figure     string
	}{
		{name: "predict", want: "flats.model"}, // which is not there yet
		{name: "train", want: "accuracy 0.8"},
		{name: "predict", want: "[yes no yes]\n"},
		{name: "search", want: "area 0.87", figure: "roc.png"},
		{name: "clusters", figure: "clusters.png"},
		{name: "compare", want: "p = 0.6"},
	} {
		c := program(dir, step.name)
		out, err := c.CombinedOutput()
		if !strings.Contains(string(out), step.want) || (err != nil) != (step.want == "flats.model") {
			t.Errorf("%s: %v\n%s", step.name, err, out)
		}
		if step.figure == "" {
			continue
		}
		f, err := os.ReadFile(filepath.Join(dir, step.figure))
		if err != nil {
			t.Error(err)
		} else if _, err := png.DecodeConfig(bytes.NewReader(f)); err != nil {
			t.Errorf("%s: %v", step.figure, err)
		}
	}
}

// The server answers many at a time, says what is wrong with a table, and goes over to
// a new model without a pause.
func TestServe(t *testing.T) {
	dir := folder(t)
	if out, err := program(dir, "train").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	server := program(dir, "serve", "-address", address)
	var log bytes.Buffer
	server.Stderr = &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
		t.Logf("the server printed %q", log.String())
	})
	ask := func(table string) (int, string, error) {
		r, err := http.Post("http://"+address+"/predict", "text/csv", strings.NewReader(table))
		if err != nil {
			return 0, "", err
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		return r.StatusCode, string(body), err
	}
	rows, err := os.ReadFile("../testdata/new_flats.csv")
	if err != nil {
		t.Fatal(err)
	}
	const first, second = `["yes","no","yes"]` + "\n", `["no","no","no"]` + "\n"
	for _, _, err := ask(string(rows)); err != nil; _, _, err = ask(string(rows)) {
		time.Sleep(10 * time.Millisecond) // until it listens; go test has a limit of its own
	}
	for table, want := range map[string]string{
		"area,rooms\n1,2\n":                      `no column "heating"`,
		"area,rooms,heating,year\n1,two,gas,3\n": `line 2, column "rooms"`,
		strings.Repeat("x", 2<<20):               "too large",
	} {
		if code, body, err := ask(table); code != http.StatusBadRequest || !strings.Contains(body, want) {
			t.Errorf("code %d, %v, %q, want %q", code, err, body, want)
		}
	}

	// A model that says no to every flat takes its place.
	ds, err := datasets.ReadDatasetFile("../testdata/flats.csv", frame.Options{Label: "sold", Unknown: mlcore.UnknownMissing})
	if err != nil {
		t.Fatal(err)
	}
	for i := range ds.Y {
		ds.Y[i] = slices.Index(ds.ClassNames, "no")
	}
	always, err := tree.Config{AllowMissing: true}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	var askers sync.WaitGroup
	answers := make([][]string, 4)
	for k := range answers {
		askers.Go(func() {
			for len(answers[k]) == 0 || answers[k][len(answers[k])-1] == first {
				code, body, err := ask(string(rows))
				answers[k] = append(answers[k], body)
				if code != http.StatusOK || err != nil {
					answers[k] = append(answers[k], fmt.Sprint(code, err))
					return
				}
			}
		})
	}
	if err := modelfile.Save(filepath.Join(dir, "flats.model"), always); err != nil {
		t.Fatal(err)
	}
	askers.Wait()
	for k, bodies := range answers {
		for i, body := range bodies {
			if want := map[bool]string{false: first, true: second}[i == len(bodies)-1]; body != want {
				t.Errorf("asker %d, answer %d of %d: %q, want %q", k, i+1, len(bodies), body, want)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "flats.model"), []byte("half a fi"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, body, err := ask(string(rows)); body != second {
		t.Errorf("with a broken file: %q, %v", body, err)
	}
}
