package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	existing := filepath.Join(dir, "existing")
	link := filepath.Join(dir, "link")
	if err := os.WriteFile(existing, []byte("a long old text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(existing, link); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, path, data, at string }{
		{"new", filepath.Join(dir, "new"), "new text", filepath.Join(dir, "new")},
		{"replaced", existing, "short", existing},
		{"through a link", link, "linked", existing},
		{"empty", existing, "", existing},
	} {
		if err := Write(tc.path, []byte(tc.data)); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if got, err := os.ReadFile(tc.at); err != nil || string(got) != tc.data {
			t.Errorf("%s: the file holds %q (%v), want %q", tc.name, got, err, tc.data)
		}
		info, err := os.Stat(tc.at)
		if err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: mode %v (%v), want 0644", tc.name, info.Mode(), err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is a link no more: %v (%v)", info, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d entries in the folder (%v), want 3: no temporary file stays", len(entries), err)
	}
}

// What cannot be written leaves no file and no temporary neighbour.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "missing", "file"), folder} {
		err := Write(path, []byte("text"))
		if err == nil || !strings.Contains(err.Error(), path+" is unchanged") {
			t.Errorf("%s: error %v does not say that it is unchanged", path, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%d entries in the folder (%v), want 1", len(entries), err)
	}
}
