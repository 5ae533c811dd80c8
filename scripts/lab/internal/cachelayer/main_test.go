package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The go command builds on a cache that it does not write to: what is there it does not
// build again, what is not there it builds once.
func TestGoCommand(t *testing.T) {
	dir := t.TempDir()
	prog := filepath.Join(dir, "cachelayer")
	run := func(env []string, args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Env = append(append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOWORK=off"), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run(nil, "build", "-o", prog, ".")
	// Packages that import nothing need not even the runtime.
	for name, text := range map[string]string{"go.mod": "module m\n", "old/a.go": "package old\n", "new/a.go": "package new\n\nimport _ \"m/old\"\n"} {
		path := filepath.Join(dir, "m", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	base, top := filepath.Join(dir, "base"), filepath.Join(dir, "top")
	layered := []string{"GOCACHE=" + top, "GOCACHEPROG=" + prog + " " + base + " " + top}
	build := func(env []string, what, want string) {
		t.Helper()
		if out := run(env, "build", "-C", filepath.Join(dir, "m"), "-v", what); out != want {
			t.Errorf("%s: built %q, want %q", what, out, want)
		}
	}
	build([]string{"GOCACHE=" + base}, "./old", "m/old\n")
	before := listing(t, base)
	build(layered, "./...", "m/new\n")
	build(layered, "./...", "")
	if after := listing(t, base); after != before {
		t.Error("the cache below has changed")
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("nothing in %s, error %v", dir, err)
	}
	return strings.Join(names, "\n")
}

// A damaged entry is none.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	c := cache{dir, filepath.Join(dir, "none")}
	action, output := []byte{1, 2}, []byte{3, 4}
	good := "v1 0102 0304 3 0\n"
	for name, text := range map[string]string{
		"good": good, "another version": "v2 0102 0304 3 0\n", "another action": "v1 0103 0304 3 0\n", "another size": "v1 0102 0304 4 0\n",
		"no output": "v1 0102 zz 3 0\n", "no size": "v1 0102 0304 x 0\n", "cut short": "v1 0102", "empty": "",
	} {
		for path, text := range map[string]string{file(dir, action, "a"): text, file(dir, output, "d"): "abc"} {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, ok := c.get(action); ok != (name == "good") {
			t.Errorf("%s: found %t", name, ok)
		}
	}
	if _, ok := c.get(nil); ok {
		t.Error("an empty ID is found")
	}
	if _, err := c.put(nil, output, nil); err == nil {
		t.Error("an empty ID is kept")
	}
}
