package sources

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHash(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\nrequire (\n\ta v1\n\tb v1\n)\n")
	write("go.sum", "a\n")
	hash := func() string {
		t.Helper()
		h, err := Hash(root)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	for _, step := range []struct {
		name, text string
		matters    bool
	}{
		{"mlcore/tree/tree.go", "package tree", true},
		{"mlcore/tree/tree_test.go", "package tree", false},
		{"mlcore/tree/testdata/peers.json", "{}", false},
		{"mlcore/tree/README.md", "# Trees", false},
		{"notebooks/lab3/points.csv", "1,2", true},
		{"notebooks/lab3/01_points.ipynb", "{}", false},
		{"notebooks/lab3/.hidden", "x", false},
		{"notebooks/.ipynb_checkpoints/a.go", "package a", false},
		{"datasets/catalogue.go", "package datasets", true},
		{"datasets/files/letter.data", "A,1", false},
		{"scripts/lab/main.go", "package main", false},
		{"go.mod", "module m // a comment\n\nrequire (\n\tb v1\n\ta v1\n)\n", false},
		{"go.mod", "module m\n\nrequire (\n\ta v2\n\tb v1\n)\n", true},
		{"go.sum", "a\nb\n", true},
		{"notebooks/go.mod", "module n\n\nrequire a v1\n", true},
		{"notebooks/go.mod", "module n\n\nrequire a v1 // why\n", false},
		{"notebooks/go.mod", "module n\n\nrequire a v2\n", true},
		{"notebooks/go.sum", "a\n", true},
		{"scripts/go.mod", "module s\n", false},
	} {
		before := hash()
		write(step.name, step.text)
		if (hash() != before) != step.matters {
			t.Errorf("%s: the hash changes: %v, want %v", step.name, !step.matters, step.matters)
		}
	}
	if err := os.Remove(filepath.Join(root, "go.sum")); err != nil {
		t.Fatal(err)
	}
	if _, err := Hash(root); err == nil || !strings.Contains(err.Error(), "go.sum") {
		t.Errorf("without go.sum: error %v does not name it", err)
	}
}

// A device or a pipe in place of a file does not hang the tool.
func TestHashPassesOverDevices(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, err := Hash(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "mlcore"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(root, "mlcore", "endless.go")); err != nil {
		t.Skip(err)
	}
	if after, err := Hash(root); err != nil || after != before {
		t.Errorf("hash %q, error %v, want %q", after, err, before)
	}
}
