package handout

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// What a killed process left beside is removed; what is at work, or of others, stays.
func TestPlaceClearsWhatWasLeft(t *testing.T) {
	parent := t.TempDir()
	out := filepath.Join(parent, "out")
	old := time.Now().Add(-time.Hour)
	want := map[string]bool{".out.tmp-1": false, ".out.tmp-2": false, ".out.tmp-3": true, ".out.tmp-4": true, ".out.tmp-mine": true, ".other.tmp-1": true}
	for name := range want {
		if err := os.MkdirAll(filepath.Join(parent, name, "out"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	left, working := filepath.Join(parent, ".out.tmp-2", lockName), filepath.Join(parent, ".out.tmp-3", lockName)
	lock := flock.New(working)
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name := range want {
		if name == ".out.tmp-4" { // made a moment ago, and not yet locked
			continue
		}
		if err := os.Chtimes(filepath.Join(parent, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := place([]file{{"a.txt", []byte("text")}}, out); err != nil {
		t.Fatal(err)
	}
	for name, stays := range want {
		if _, err := os.Stat(filepath.Join(parent, name)); errors.Is(err, os.ErrNotExist) == stays {
			t.Errorf("%s: %v, want it there: %v", name, err, stays)
		}
	}
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 4+2 {
		t.Errorf("%v, %v: want four of before, the folder and the zip", entries, err)
	}
}
