package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	existing := filepath.Join(dir, "existing")
	if err := os.WriteFile(existing, []byte("a long old text"), 0o640); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(dir, strings.Repeat("é", 127)+"x")
	for _, tc := range []struct {
		name, path, data, at string
		mode                 os.FileMode
	}{
		{"new", filepath.Join(dir, "new"), "new text", filepath.Join(dir, "new"), 0o644},
		{"replaced", existing, "short", existing, 0o640},
		{"empty", existing, "", existing, 0o640},
		{"a name of 255 bytes", long, "long", long, 0o644},
		{"its replacement", long, "longer", long, 0o644},
	} {
		if err := Write(tc.path, []byte(tc.data)); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if got, err := os.ReadFile(tc.at); err != nil || string(got) != tc.data {
			t.Errorf("%s: the file holds %q (%v), want %q", tc.name, got, err, tc.data)
		}
		if info, err := os.Stat(tc.at); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		} else if info.Mode().Perm() != tc.mode && runtime.GOOS != "windows" { // which has no such rights
			t.Errorf("%s: mode %v, want %v", tc.name, info.Mode(), tc.mode)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("%d entries in the folder (%v), want 3: no temporary file stays", len(entries), err)
	}
}

// A link stays one, and the file that it leads to is replaced.
func TestWriteThroughLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows few may make links")
	}
	dir := t.TempDir()
	existing, link := filepath.Join(dir, "existing"), filepath.Join(dir, "link")
	if err := os.WriteFile(existing, []byte("a long old text"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("existing", link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("linked")); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(existing); err != nil || string(got) != "linked" {
		t.Errorf("the file holds %q (%v)", got, err)
	}
	if to, err := os.Readlink(link); err != nil || to != "existing" {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
}

// What cannot be written leaves no file and no temporary neighbour.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	tooLong := filepath.Join(dir, strings.Repeat("x", 300))
	for _, path := range []string{filepath.Join(dir, "missing", "file"), folder, tooLong} {
		err := Write(path, []byte("text"))
		if err == nil || !strings.Contains(err.Error(), path+" is unchanged") {
			t.Errorf("%s: error %v does not say that it is unchanged", path, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%d entries in the folder (%v), want 1", len(entries), err)
	}
}
