package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A place is a folder that is to be replaced, and the one beside it where the new one is
// made.
type place struct {
	dir  string // absolute
	made string
	lock *flock.Flock
}

const lockEnding = ".lock"

// beside makes a folder next to dir, and clears what killed runs have left there.
func beside(dir string) (*place, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := mayReplace(dir); err != nil {
		return nil, err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	prefix := "." + filepath.Base(dir) + ".tmp-"
	clearLeft(parent, prefix)
	made, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(made, 0o755); err != nil { // servers read it
		return nil, errors.Join(err, os.RemoveAll(made))
	}
	// The lock stands beside the folder, which is renamed.
	p := &place{dir: dir, made: made, lock: flock.New(made + lockEnding)}
	p.lock.TryLock() // some file systems know no locks
	return p, nil
}

// mayReplace wants nothing at dir, or an empty folder, or a site and nothing else: what
// somebody has put beside the pages, such as .git or CNAME, would be lost.
func mayReplace(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s is no folder that can be replaced: %w", dir, err)
	case len(entries) == 0:
		return nil
	}
	mark, ok := readMark(dir)
	if !ok {
		return fmt.Errorf("%s holds files that are no site of this tool; name a new folder by --out, or empty this one", dir)
	}
	for _, e := range entries {
		name := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".br"), ".gz")
		if !slices.Contains(mark.Holds, e.Name()) && !slices.Contains(mark.Holds, name) {
			return fmt.Errorf("%s holds %s, which is no part of the site that was made there and would be lost; move it away, or name a new folder by --out", dir, e.Name())
		}
	}
	return nil
}

// swap puts the folder that was made into the place of the old one.
func (p *place) swap() error {
	if err := mayReplace(p.dir); err != nil { // it took minutes
		return err
	}
	old := p.made + ".old"
	err := os.Rename(p.dir, old)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(p.made, p.dir)
	case err != nil:
		return err
	}
	if err := os.Rename(p.made, p.dir); err != nil {
		return errors.Join(err, os.Rename(old, p.dir))
	}
	return os.RemoveAll(old)
}

// remove removes what was not put into place.
func (p *place) remove() {
	os.RemoveAll(p.made)
	p.lock.Unlock()
	os.Remove(p.made + lockEnding)
}

// started is about when this process began.
var started = time.Now()

// clearLeft removes what killed runs left in a folder, of the names that beside gives. What
// another process works on is locked, or has just been made. An old site that was to be
// replaced goes back to its place if the new one did not get there.
func clearLeft(parent, prefix string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), prefix)
		number := strings.TrimSuffix(strings.TrimSuffix(rest, lockEnding), ".old")
		info, err := e.Info()
		if !ours || err != nil || strings.Trim(number, "0123456789") != "" || !info.ModTime().Before(started) {
			continue
		}
		lock := flock.New(filepath.Join(parent, prefix+number+lockEnding))
		if free, err := lock.TryLock(); err == nil && !free {
			continue
		}
		left := filepath.Join(parent, e.Name())
		if strings.HasSuffix(rest, ".old") {
			name := strings.TrimSuffix(strings.TrimPrefix(prefix, "."), ".tmp-")
			if os.Rename(left, filepath.Join(parent, name)) != nil { // the new one is there
				os.RemoveAll(left)
			}
		} else if e.IsDir() {
			os.RemoveAll(left)
		}
		lock.Unlock()
		os.Remove(lock.Path())
	}
}
