// Package scratch makes temporary folders that are gone in the end, even where
// the process that made one was killed: the next process to make one clears what
// nobody uses any more.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/gofrs/flock"
)

const (
	prefix = "mllabs-"
	// lockName is a file in each folder, which its owner keeps locked. A lock
	// goes with its process, however that ends.
	lockName = ".lock"
)

// A Folder is a temporary folder.
type Folder struct {
	Path string
	lock *flock.Flock
}

// New makes a folder whose name tells what it is for.
func New(purpose string) (*Folder, error) {
	clear()
	for range 10 {
		dir, err := os.MkdirTemp("", prefix+purpose+"-")
		if err != nil {
			return nil, err
		}
		lock := flock.New(filepath.Join(dir, lockName))
		// Before it was locked, another process may have taken it for left behind.
		// Some file systems know no locks; nothing is taken there.
		if ok, err := lock.TryLock(); ok || err != nil {
			if _, err := os.Stat(lock.Path()); err == nil {
				return &Folder{dir, lock}, nil
			}
		}
		lock.Unlock()
		os.RemoveAll(dir)
	}
	return nil, fmt.Errorf("cannot lock a folder in %s", os.TempDir())
}

// Remove removes the folder. Dying programs may still be writing to it, so it
// tries again for a second.
func (f *Folder) Remove() {
	defer f.lock.Unlock()
	for range 10 {
		if remove(f.Path, f.lock) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// remove removes a folder, the lock last: what is cut short here is finished by another process.
// The lock is held until its file is gone, because another process that is just making this folder
// would take it for its own. Windows keeps files that are open; there the lock is opened first,
// and its file stays where another process has opened it.
func remove(dir string, lock *flock.Flock) error {
	if err := empty(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	name := filepath.Join(dir, lockName)
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		lock.Unlock()
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	lock.Unlock()
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// empty removes what a folder holds but for the lock. A link in the place of the folder
// is not followed, also where it was put there while empty looked.
func empty(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if opened, err := root.Stat("."); err != nil {
		return err
	} else if !os.SameFile(info, opened) {
		return fmt.Errorf("%s was changed while it was being removed", dir)
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != lockName {
			err = errors.Join(err, root.RemoveAll(e.Name()))
		}
	}
	return err
}

var named = regexp.MustCompile(`^` + prefix + `[a-z]+-\d+$`)

// clear removes the folders of processes that were killed. A link and a folder of
// somebody else are left alone: other users may put what they like into the system's
// folder for temporary files.
func clear() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*-*"))
	for _, dir := range dirs {
		if !named.MatchString(filepath.Base(dir)) {
			continue
		}
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !isOurs(info) {
			continue
		}
		name := filepath.Join(dir, lockName)
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			os.Remove(dir) // if it is empty, its process was killed before it had a lock
			continue
		}
		lock := flock.New(name)
		if ok, err := lock.TryLock(); ok && err == nil {
			remove(dir, lock)
		}
		lock.Unlock()
	}
}
