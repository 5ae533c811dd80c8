//go:build unix

package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// made are the files below .lab and their modes and texts. The folders of environments
// are given one name, whatever they are called.
func made(t *testing.T, p project.Project) map[string]string {
	t.Helper()
	files := map[string]string{}
	ending := regexp.MustCompile(`(python/[a-z]+)-[0-9a-f]+-[0-9]+`)
	err := filepath.WalkDir(p.Lab(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := "a link"
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(b)
		}
		if filepath.Base(path) == recordName || filepath.Base(path) == "python.json" { // names folders, or times
			text = "a record"
		}
		files[ending.ReplaceAllString(p.Rel(path), "$1")] = fmt.Sprintf("%v %s", info.Mode(), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Whatever becomes of a file that set-up has made, the next set-up makes it anew.
func TestSetUpHeals(t *testing.T) {
	t.Setenv("MLLABS_PYTHON", "")
	goroot := t.TempDir()
	write(t, filepath.Join(goroot, "bin", "go"), "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(goroot, "bin", "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	// As Go does, this one leaves a program alone that has the right head.
	const program = `{ head -c 5 "$file" 2>/dev/null | grep -q prog || printf 'program %s, of some length\n' "$name" > "$file"; chmod +x "$file"; }`
	p, _ := machine(t, map[string]string{
		"python3": keepingPython, "in-venv": inVenv,
		"go": `
[ "$1" = -C ] && shift 2
case "$1" in
env) echo '{"GOCACHE": "/c", "GOENV": "/e", "GOMODCACHE": "/m", "GOPATH": "/p", "GOROOT": "` + goroot + `"}';;
mod) echo '{"Dir": "'"$TEST_GONB"'"}';;
install) name=gopls; file=$GOBIN/gopls; ` + program + `;;
*) mkdir -p "$3"; for name in gonb goimports cellbuild; do file=$3$name; ` + program + `; done;;
esac`,
	})
	for _, file := range []string{PeersRequirements, ONNXRequirements, BenchRequirements} {
		write(t, p.Path(filepath.FromSlash(file)), "x==1\n")
	}
	ctx := context.Background()
	all := func(log *bytes.Buffer) error {
		o := Options{Via: Pip, Log: log}
		_, err := Run(ctx, p, o)
		_, benchErr := BenchPeers(ctx, p, o)
		return errors.Join(err, benchErr, Peers(ctx, p, o), ONNX(ctx, p, o), Gopls(ctx, p, o))
	}
	var log bytes.Buffer
	if err := all(&log); err != nil {
		t.Fatal(err)
	}
	want := made(t, p)
	log.Reset()
	if err := all(&log); err != nil || log.Len() > 0 {
		t.Fatalf("a second time: %v\n%s", err, log.String())
	}
	damages := map[string]func(path string) error{
		"emptied": func(path string) error { return os.Truncate(path, 0) },
		"halved": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Truncate(path, info.Size()/2)
		},
		"changed": func(path string) error {
			b, err := os.ReadFile(path)
			if err != nil || len(b) == 0 {
				return err
			}
			b[len(b)/2] ^= 1
			return os.WriteFile(path, b, 0o644)
		},
		"deleted":  os.Remove,
		"a folder": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) },
		"a folder with files": func(path string) error {
			return errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o755))
		},
		"unreadable": func(path string) error { return os.Chmod(path, 0) },
	}
	names := slices.Sorted(maps.Keys(want))
	for _, need := range []string{".lab/bin/gonb", ".lab/bin/goimports", ".lab/bin/cellbuild", ".lab/bin/go", ".lab/kernel.stamp", ".lab/python.json",
		".lab/jupyter/kernels/gonb/kernel.json", ".lab/jupyter-runs/kernels/gonb/kernel.json", ".lab/gopls/gopls", ".lab/python/jupyter/bin/python", ".lab/peers"} {
		if !slices.Contains(names, need) {
			t.Errorf("set-up has not made %s", need)
		}
	}
	for _, name := range names {
		for _, damage := range slices.Sorted(maps.Keys(damages)) {
			path := filepath.Join(p.Root, filepath.FromSlash(name))
			if rest, ok := strings.CutPrefix(name, ".lab/python/"); ok {
				env, file, _ := strings.Cut(rest, "/")
				link := p.Lab(env)
				if env == "jupyter" {
					link = p.Path(".venv")
				}
				path = filepath.Join(link, file)
			}
			if err := damages[damage](path); err != nil && strings.HasPrefix(want[name], "L") {
				continue // what the link leads to is damaged by another case
			} else if err != nil {
				t.Fatal(err)
			}
			log.Reset()
			if err := all(&log); err != nil {
				t.Errorf("%s, %s: %v", name, damage, err)
			}
			log.Reset()
			if err := all(&log); err != nil || log.Len() > 0 { // sweeps, too
				t.Errorf("%s, %s, a second time: %v\n%s", name, damage, err, log.String())
			}
			got := made(t, p)
			if !maps.Equal(got, want) {
				for n := range want {
					if got[n] != want[n] {
						t.Errorf("%s, %s: %s is %.80q, want %.80q", name, damage, n, got[n], want[n])
					}
				}
				t.Fatalf("%s, %s: %d files, want %d", name, damage, len(got), len(want))
			}
		}
	}
}

// What the kernel's script and specifications hold is looked up each time.
func TestSetUpNotesAnotherGo(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		write(t, filepath.Join(dir, "bin", "go"), "#!/bin/sh\n")
		if err := os.Chmod(filepath.Join(dir, "bin", "go"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p, _ := machine(t, map[string]string{"python3": goodPython, "go": strings.Replace(goodGo, `"GOPATH": "/p"}'`, `"GOPATH": "/p", "GOENV": "'"$TEST_GOENV"'", "GOROOT": "'"$TEST_GOROOT"'"}'`, 1)})
	for _, c := range []struct{ goroot, goenv string }{{first, "/e1"}, {second, "/e1"}, {second, "/e2"}} {
		t.Setenv("TEST_GOROOT", c.goroot)
		t.Setenv("TEST_GOENV", c.goenv)
		if _, err := Run(context.Background(), p, Options{Via: Pip}); err != nil {
			t.Fatal(err)
		}
		script, err := os.ReadFile(p.Lab("bin", "go"))
		if err != nil || !strings.Contains(string(script), c.goroot) {
			t.Errorf("%+v: the script is %s, %v", c, script, err)
		}
		for _, dir := range []string{DirPeople, DirRuns} {
			if b, err := os.ReadFile(p.Lab(dir, "kernels", "gonb", "kernel.json")); err != nil || !strings.Contains(string(b), `"GOENV": "`+c.goenv+`"`) {
				t.Errorf("%+v: %s: %s, %v", c, dir, b, err)
			}
		}
	}
}
