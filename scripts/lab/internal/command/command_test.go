package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// inCheckout makes a small checkout and works in it.
func inCheckout(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files["go.mod"] = "module " + project.Module + "\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	return root
}

func call(t *testing.T, args ...string) (code int, out, err string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Main(context.Background(), args, &o, &e)
	return code, o.String(), e.String()
}

const emptyNotebook = `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`

func TestExitCodes(t *testing.T) {
	inCheckout(t, map[string]string{"notebooks/lab3/02_decision_trees.ipynb": emptyNotebook, "notebooks/lab3/03_broken.ipynb": "{"})
	for _, c := range []struct {
		args      string
		code      int
		out, errs string // parts of what is said
	}{
		{"", Usage, "", "usage:"},
		{"help", OK, "Exit codes: 0", ""},
		{"help run", OK, "usage: go run ./scripts/lab run [flags] [NAME...]", ""},
		{"run -h", OK, "-timeout", ""},
		{"help nosuch", Usage, "", `no command is called "nosuch"`},
		{"frobnicate", Usage, "", `no command is called "frobnicate"`},
		{"run --nosuch", Usage, "", "flag provided but not defined"},
		{"run --timeout soon", Usage, "", "invalid value"},
		{"run --timeout=-1s", Usage, "", "less than a second"},
		{"check --timeout 0s", Usage, "", "less than a second"},
		{"run nosuch", Usage, "", `no notebook is named "nosuch"`},
		{"run lab3/02_decision_tree", Usage, "", "did you mean lab3/02_decision_trees?"},
		{"check xyz", Usage, "", "no notebook"},
		{"reports xyz", Usage, "", "no notebook"},
		{"setup --via magic", Usage, "", "use auto, pip or apt"},
		{"setup now", Usage, "", "takes no arguments"},
		{"test now", Usage, "", "takes no arguments"},
		{"data", Usage, "", "list, fetch, verify"},
		{"data frob", Usage, "", "use list, fetch or verify"},
		{"data fetch nosuch", Usage, "", "nosuch"},
		{"data list iris", Usage, "", "takes no names"},
		{"data list", OK, "iris", ""},
		{"data verify iris", OK, "ok   iris", ""},
		{"run nosuch --timeout 300s", Usage, "", `no notebook is named "nosuch"`},
		{"run lab3 --timeout soon", Usage, "", "invalid value"},
		{"run lab3 -h", OK, "-timeout", ""},
		{"check 02_decision_trees --no-run", Failed, "0 titles", ""},
		{"check --no-run 02_decision_trees", Failed, "0 titles", ""},
		{"check --no-run 03_broken", Failed, "not a notebook", ""},
	} {
		code, out, errs := call(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
			t.Errorf("lab %s: code %d\n%s\n%s", c.args, code, out, errs)
		}
	}
}

// Flags may stand before, between and after the arguments, up to --.
func TestParse(t *testing.T) {
	for _, c := range []struct{ line, args, via, err string }{
		{"", "", "auto", ""},
		{"--via pip a b", "a b", "pip", ""},
		{"a --via pip b", "a b", "pip", ""},
		{"a b --via=pip --fresh", "a b", "pip", ""},
		{"a -fresh -via pip", "a", "pip", ""},
		{"a -- --via pip", "a --via pip", "auto", ""},
		{"-- --via pip --", "--via pip --", "auto", ""},
		{"--via pip -- -x", "-x", "pip", ""},
		{"a --nosuch", "", "auto", "not defined: -nosuch"},
		{"a --via", "", "auto", "needs an argument"},
		{"a b -h", "", "auto", flag.ErrHelp.Error()},
	} {
		fs := flag.NewFlagSet("x", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		via := viaFlag(fs)
		fs.Bool("fresh", false, "")
		args, err := parse(fs, strings.Fields(c.line))
		if strings.Join(args, " ") != c.args || *via != c.via || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %q, via %s, %v", c.line, args, *via, err)
		}
	}
}

// What could not be told is a failure, whatever was done.
func TestFullDisk(t *testing.T) {
	inCheckout(t, map[string]string{})
	var errs bytes.Buffer
	code := Main(context.Background(), []string{"data", "list"}, failing{}, &errs)
	if code != Failed || !strings.Contains(errs.String(), "no space left") {
		t.Errorf("code %d, %s", code, errs.String())
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutsideCheckout(t *testing.T) {
	t.Chdir(t.TempDir())
	code, _, errs := call(t, "run")
	if code != Failed || !strings.Contains(errs, "is not inside a checkout") {
		t.Errorf("code %d, %s", code, errs)
	}
}

func TestEveryCommandHasHelp(t *testing.T) {
	for _, c := range commands() {
		code, out, _ := call(t, "help", c.name)
		if code != OK || len(c.short) == 0 || len(c.short) > 70 || !strings.Contains(out, "usage:") || len(c.long) < 80 {
			t.Errorf("%s: code %d, %s", c.name, code, out)
		}
	}
}

// Events as go test -json writes them.
func TestCountTests(t *testing.T) {
	events := `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"=== RUN   TestOne\n"}
{"Action":"run","Package":"m/a","Test":"TestOne/sub"}
{"Action":"pass","Package":"m/a","Test":"TestOne/sub","Elapsed":0}
{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":12.34}
{"Action":"output","Package":"m/a","Test":"TestSkipped","Output":"    a_test.go:9: needs a browser: none found\n"}
{"Action":"skip","Package":"m/a","Test":"TestSkipped","Elapsed":0}
{"Action":"output","Package":"m/a","Test":"TestSlow","Output":"    a_test.go:12: takes a minute\n"}
{"Action":"skip","Package":"m/a","Test":"TestSlow","Elapsed":0}
{"Action":"pass","Package":"m/a","Elapsed":12.5}
{"Action":"output","Package":"m/b","Test":"TestBad","Output":"    b_test.go:3: wrong\n"}
{"Action":"fail","Package":"m/b","Test":"TestBad","Elapsed":0}
{"Action":"fail","Package":"m/b","Elapsed":0.1}
{"ImportPath":"m/c","Action":"build-output","Output":"c.go:1: syntax error\n"}
{"Action":"fail","Package":"m/c","Elapsed":0}
{"Action":"skip","Package":"m/d","Elapsed":0}
`
	var report bytes.Buffer
	lacks := map[string][]string{}
	got := countTests(strings.NewReader(events), &report, lacks)
	want := testCount{passed: 1, failed: 1, skipped: 2, packages: 4, failedPkgs: 2}
	if got != want {
		t.Errorf("got %+v", got)
	}
	for _, part := range []string{"ok   m/a  3 tests, 12.5 s, the longest TestOne, 12.3 s\n", "FAIL m/b TestBad\n    b_test.go:3: wrong", "FAIL m/b\n", "c.go:1: syntax error", "FAIL m/c", "m/d  no tests"} {
		if !strings.Contains(report.String(), part) {
			t.Errorf("no %q in\n%s", part, report.String())
		}
	}
	if want := map[string][]string{"needs a browser: none found": {"a.TestSkipped"}}; !reflect.DeepEqual(lacks, want) {
		t.Errorf("lacks %v", lacks)
	}
	if none := countTests(strings.NewReader(""), &report, lacks); !strings.Contains(none.String(), "no test ran") {
		t.Errorf("nothing: %s", none)
	}
}

// What go test runs first is a list of names, which are those of packages with tests.
func TestTiers(t *testing.T) {
	for _, name := range append(slices.Clone(longest), equipped...) {
		if files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", filepath.FromSlash(name), "*_test.go")); err != nil || len(files) == 0 {
			t.Errorf("%s has no tests", name)
		}
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Find(wd)
	if err != nil {
		t.Fatal(err)
	}
	first, second, err := (&env{Project: p, err: io.Discard}).tiers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(second) != len(equipped) || first[0] != project.Module+"/"+longest[0] {
		t.Errorf("%d of %d equipped, %s first", len(second), len(equipped), first[0])
	}
	all := append(first, second...)
	if slices.Sort(all); len(slices.Compact(all)) != len(first)+len(second) || len(all) < 110 {
		t.Errorf("%d packages, some of them twice", len(all))
	}
}

func TestCheckResult(t *testing.T) {
	for _, c := range []struct {
		ci   string
		r    checkResult
		want bool
	}{
		{"", checkResult{passed: 1}, true},
		{"", checkResult{passed: 1, notRun: 1}, true},
		{"true", checkResult{passed: 1, notRun: 1}, false},
		{"false", checkResult{passed: 1, notRun: 1}, true},
		{"true", checkResult{passed: 1}, true},
		{"", checkResult{failed: 1}, false},
	} {
		t.Setenv("CI", c.ci)
		if c.r.ok() != c.want {
			t.Errorf("CI=%s %+v", c.ci, c.r)
		}
	}
}
