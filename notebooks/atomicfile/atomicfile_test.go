package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	existing := filepath.Join(dir, "existing")
	link := filepath.Join(dir, "link")
	if err := os.WriteFile(existing, []byte("a long old text"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(existing, link); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"first": "second", "second": filepath.Join("..", filepath.Base(dir), "made")} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	long := filepath.Join(dir, strings.Repeat("é", 127)+"x")
	for _, tc := range []struct {
		name, path, data, at string
		mode                 os.FileMode
	}{
		{"new", filepath.Join(dir, "new"), "new text", filepath.Join(dir, "new"), 0o644},
		{"replaced", existing, "short", existing, 0o640},
		{"through a link", link, "linked", existing, 0o640},
		{"empty", existing, "", existing, 0o640},
		{"through links to nothing", filepath.Join(dir, "first"), "made", filepath.Join(dir, "made"), 0o644},
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
	for _, link := range []string{link, filepath.Join(dir, "first"), filepath.Join(dir, "second")} {
		if _, err := os.Readlink(link); err != nil {
			t.Errorf("%s is a link no more: %v", link, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 7 {
		t.Errorf("%d entries in the folder (%v), want 7: no temporary file stays", len(entries), err)
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

// What a killed process left beside a file is cleared, what one at work has is not.
func TestWriteClears(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a[1].ipynb")
	left := filepath.Join(dir, ".a[1].ipynb.tmp-123")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(left, time.Time{}, time.Now().Add(-48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	used, lock, err := neighbour(path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	defer used.Close()
	if err := Write(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left behind: %v", err)
	}
	if _, err := os.Stat(used.Name()); err != nil {
		t.Errorf("in use: %v", err)
	}
}

func TestWriteUnchanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for _, c := range []struct {
		name, now, old string // now "": no file
		want           error
	}{
		{"as it was", "old", "old", nil},
		{"edited", "edited", "old", ErrChanged},
		{"gone", "", "old", ErrChanged},
	} {
		os.Remove(path)
		if c.now != "" {
			if err := os.WriteFile(path, []byte(c.now), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want := c.now
		if c.want == nil {
			want = "new"
		}
		err := WriteUnchanged(path, []byte(c.old), []byte("new"))
		if b, _ := os.ReadFile(path); !errors.Is(err, c.want) || string(b) != want {
			t.Errorf("%s: file %q, error %v", c.name, b, err)
		}
	}
}

// A link stays a link also where the file that it points to is yet to be made.
func TestWriteThroughLinkToNothing(t *testing.T) {
	dir := t.TempDir()
	for link, target := range map[string]string{"second": "first", "first": "file"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(filepath.Join(dir, "second"), []byte("text")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "file")); err != nil || string(b) != "text" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	for _, link := range []string{"first", "second"} {
		if info, err := os.Lstat(filepath.Join(dir, link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", link, info, err)
		}
	}
}

// A lock is not given twice, also within a process, and is free again afterwards.
func TestLock(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has none for these files")
	}
	name := filepath.Join(t.TempDir(), "file")
	if _, err := lockOf(name).TryLock(); err == nil {
		t.Error("a file that is not there was locked")
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first, second := lockOf(name), lockOf(name)
	if err := first.Unlock(); err != nil {
		t.Errorf("unlocked before it was locked: %v", err)
	}
	for range 2 {
		if ok, err := first.TryLock(); !ok || err != nil {
			t.Fatalf("first: %v, %v", ok, err)
		}
		if ok, err := second.TryLock(); ok || err != nil {
			t.Errorf("second, while the first has it: %v, %v", ok, err)
		}
		if err := first.Unlock(); err != nil {
			t.Error(err)
		}
	}
	if ok, err := second.TryLock(); !ok || err != nil {
		t.Errorf("second, after it: %v, %v", ok, err)
	}
	if err := second.Unlock(); err != nil {
		t.Error(err)
	}
}
