//go:build unix

package setup

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// A python3 whose environments hold a copy of the requirements that they were made
// from, and whose pip fails while the file offline is there.
const keepingPython = `
case "$*" in
*sys.executable*) echo "$0"; exit;;
"-m venv "*) mkdir -p "$3/bin" && cp "$(dirname "$0")/in-venv" "$3/bin/python";;
esac`

const inVenv = `
case "$*" in
*"pip install"*)
	[ -e "$(dirname "$0")/../../../../offline" ] && { echo "No matching distribution" >&2; exit 1; }
	for file; do :; done
	cp "$file" "$(dirname "$0")/../installed";;
esac`

func keepingMachine(t *testing.T) (p project.Project, require func(text string), offline func(bool)) {
	t.Helper()
	p, _ = machine(t, map[string]string{"python3": keepingPython, "in-venv": inVenv, "go": goodGo})
	return p, func(text string) {
			t.Helper()
			write(t, p.Path(filepath.FromSlash(Requirements)), text)
		}, func(is bool) {
			t.Helper()
			if is {
				write(t, p.Path("offline"), "")
			} else if err := os.Remove(p.Path("offline")); err != nil {
				t.Fatal(err)
			}
		}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// installed is what the environment in use was made from.
func installed(t *testing.T, p project.Project) string {
	t.Helper()
	b, err := os.ReadFile(p.Path(".venv", "installed"))
	if err != nil || !executable(p.Path(".venv", "bin", "python")) {
		t.Errorf(".venv does not work: %v", err)
	}
	return string(b)
}

// An environment works until there is another, whatever becomes of that.
func TestEnvironmentStaysUntilThereIsAnother(t *testing.T) {
	ctx := context.Background()
	p, require, offline := keepingMachine(t)
	run := func() string {
		t.Helper()
		var log bytes.Buffer
		if tools, err := Run(ctx, p, Options{Via: Pip, Log: &log}); err != nil || tools.Python != p.Path(".venv", "bin", "python") {
			t.Fatalf("%+v, %v", tools, err)
		}
		return log.String()
	}
	require("nbclient==1\n")
	run()

	require("nbclient==2\n")
	offline(true)
	for range 2 { // the second time it is tried again
		log := run()
		for _, want := range []string{"No matching distribution", "warning", ".venv of before", Requirements, "lab setup"} {
			if !strings.Contains(log, want) {
				t.Errorf("no %q in\n%s", want, log)
			}
		}
		if got := installed(t, p); got != "nbclient==1\n" {
			t.Errorf("offline, .venv was made from %q", got)
		}
	}
	if n := len(folders(t, p)); n != 1 {
		t.Errorf("failures left %d folders", n)
	}

	offline(false)
	if log := run(); strings.Contains(log, "warning") || installed(t, p) != "nbclient==2\n" {
		t.Errorf("with a network again: %s", log)
	}
	if n := len(folders(t, p)); n != 2 {
		t.Errorf("%d folders after the swap, want the one before too, for who still uses it", n)
	}
	if log := run(); log != "" || len(folders(t, p)) != 1 {
		t.Errorf("a second time: %d folders, log %s", len(folders(t, p)), log)
	}
}

func folders(t *testing.T, p project.Project) []string {
	t.Helper()
	entries, err := os.ReadDir(p.Lab("python"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What stands in the place of the link, or was left by a set-up that was killed.
func TestEnvironmentFindsWhatStandsThere(t *testing.T) {
	for _, c := range []struct {
		name     string
		before   func(t *testing.T, p project.Project)
		installs bool
	}{
		{"a folder of an older version", func(t *testing.T, p project.Project) {
			write(t, p.Path(".venv", "bin", "python"), "")
		}, true},
		{"a file", func(t *testing.T, p project.Project) { write(t, p.Path(".venv"), "") }, true},
		{"a link to nothing", func(t *testing.T, p project.Project) {
			if err := os.Symlink("nowhere", p.Path(".venv")); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"half an environment, and half a swap", func(t *testing.T, p project.Project) {
			write(t, p.Lab("python", "jupyter-123", "bin", "python"), "")
			write(t, p.Path(".venv.before", "bin", "python"), "")
			write(t, p.Path(".venv.next"), "")
		}, true},
		{"a complete one that no link leads to", func(t *testing.T, p project.Project) {
			if _, err := Run(context.Background(), p, Options{Via: Pip}); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(p.Path(".venv")); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		p, _, _ := keepingMachine(t)
		c.before(t, p)
		var log bytes.Buffer
		if _, err := Run(context.Background(), p, Options{Via: Pip, Log: &log}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if installs := strings.Contains(log.String(), "installing"); installs != c.installs {
			t.Errorf("%s: installs %v, want %v", c.name, installs, c.installs)
		}
		installed(t, p)
		if _, err := Run(context.Background(), p, Options{Via: Pip}); err != nil {
			t.Errorf("%s, again: %v", c.name, err)
		}
		if names := folders(t, p); len(names) != 1 {
			t.Errorf("%s: left behind: %v", c.name, names)
		}
		for _, name := range []string{".venv.next", ".venv.before"} {
			if _, err := os.Lstat(p.Path(name)); err == nil {
				t.Errorf("%s: left behind: %s", c.name, name)
			}
		}
	}
}

// All environments are made in the same way.
func TestPeersStayUntilThereAreOthers(t *testing.T) {
	t.Setenv("MLLABS_PYTHON", "")
	ctx := context.Background()
	p, _, offline := keepingMachine(t)
	for _, c := range []struct {
		name, requirements string
		make               func() error
	}{
		{"peers", PeersRequirements, func() error { return Peers(ctx, p, Options{}) }},
		{"onnx", ONNXRequirements, func() error { return ONNX(ctx, p, Options{}) }},
		{"nbgrader", NBGraderRequirements, func() error { _, err := NBGrader(ctx, p, Options{}); return err }},
		{"bench", BenchRequirements, func() error { _, err := BenchPeers(ctx, p, Options{}); return err }},
	} {
		write(t, p.Path(filepath.FromSlash(PeersRequirements)), "x==1\n")
		for _, text := range []string{"a==1\n", "b==2\n"} {
			write(t, p.Path(filepath.FromSlash(c.requirements)), text)
			if err := c.make(); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			if text == "a==1\n" {
				offline(true)
			}
		}
		if b, err := os.ReadFile(p.Lab(c.name, "installed")); err != nil || string(b) != "a==1\n" {
			t.Errorf("%s offline: %q, %v", c.name, b, err)
		}
		offline(false)
		if err := c.make(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if b, err := os.ReadFile(p.Lab(c.name, "installed")); err != nil || string(b) != "b==2\n" {
			t.Errorf("%s: %q, %v", c.name, b, err)
		}
	}
	if !slices.ContainsFunc(folders(t, p), func(name string) bool { return strings.HasPrefix(name, "bench-") }) {
		t.Error("no folder of bench")
	}
}

// Every package is pinned, with hashes of its files, and no file names a server.
func TestRequirementsAreHashed(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	name := regexp.MustCompile(`^[a-z0-9-]+(\[[a-z]+\])?==[0-9][0-9a-z.]*( ; [a-z_]+ [=!<>]+ '[A-Za-z0-9._]+'( or [a-z_]+ == '[A-Za-z0-9_]+')*)? \\$`)
	sum := regexp.MustCompile(`^    --hash=sha256:[0-9a-f]{64}( \\)?$`)
	for _, file := range []string{Requirements, PeersRequirements, ONNXRequirements, NBGraderRequirements, BenchRequirements} {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		packages, hashes := 0, 0
		for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
			switch {
			case strings.HasPrefix(line, "#"), line == "-r ../../notebooks/peers/requirements.txt" && file == BenchRequirements:
			case name.MatchString(line):
				packages++
			case sum.MatchString(line) && packages > 0:
				hashes++
			default:
				t.Errorf("%s:%d: %s", file, i+1, line)
			}
			if strings.Contains(line, "://") || strings.Contains(line, "index-url") {
				t.Errorf("%s:%d names a server: %s", file, i+1, line)
			}
		}
		if packages == 0 || hashes < packages {
			t.Errorf("%s: %d packages and %d hashes", file, packages, hashes)
		}
	}
}
