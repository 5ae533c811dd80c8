package notebook

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// ReplaceFile writes a file whole or not at all: to a temporary neighbour that
// is then renamed. On failure what stood at path is as it was. A symbolic link
// stays one: what it leads to is replaced. An old file's permissions are kept.
func ReplaceFile(path string, data []byte) error {
	return replace(path, data, func() error { return nil })
}

// ErrChanged says that a file was not replaced because it is no longer what was
// read.
var ErrChanged = errors.New("the file was changed meanwhile")

// ReplaceUnchanged is [ReplaceFile] for a file that was read as old. If it has
// other bytes by now, or is gone, it is left alone, and the error wraps
// [ErrChanged].
func ReplaceUnchanged(path string, old, data []byte) error {
	return replace(path, data, func() error {
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, old) {
			return ErrChanged
		}
		return nil
	})
}

// replace replaces a file if, with all ready to be renamed, check agrees.
func replace(path string, data []byte, check func() error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, lock, err := neighbour(path)
	if err != nil {
		return fmt.Errorf("%s is unchanged: %w", path, err)
	}
	defer lock.Unlock()
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("%s is unchanged: %w", path, err)
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return err
	}
	if err = tmp.Chmod(mode); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	if err = check(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// neighbour makes a temporary file beside path and keeps it locked, and clears
// those that are not, whose processes were killed.
func neighbour(path string) (*os.File, *flock.Flock, error) {
	dir, pattern := filepath.Dir(path), "."+filepath.Base(path)+".tmp-*"
	lockOf := func(name string) *flock.Flock { return flock.New(name, flock.SetFlag(os.O_RDONLY)) }
	old, _ := filepath.Glob(filepath.Join(quoteGlob(dir), quoteGlob("."+filepath.Base(path))+".tmp-*"))
	for _, name := range old {
		lock := lockOf(name)
		if ok, err := lock.TryLock(); ok && err == nil {
			os.Remove(name)
		}
		lock.Unlock()
	}
	for range 10 {
		tmp, err := os.CreateTemp(dir, pattern)
		if err != nil {
			return nil, nil, err
		}
		// Before it was locked, another process may have taken it for left behind.
		// Some file systems know no locks; nothing is taken there.
		lock := lockOf(tmp.Name())
		if ok, err := lock.TryLock(); ok || err != nil {
			mine, err := tmp.Stat()
			now, err2 := os.Stat(tmp.Name())
			if err == nil && err2 == nil && os.SameFile(mine, now) {
				return tmp, lock, nil
			}
		}
		lock.Unlock()
		tmp.Close()
		os.Remove(tmp.Name())
	}
	return nil, nil, fmt.Errorf("cannot lock a file in %s", dir)
}

func quoteGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// CanReplace finds out early whether [ReplaceFile] may write into path's folder.
func CanReplace(path string) error {
	tmp, lock, err := neighbour(path)
	if err != nil {
		return err
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()), lock.Unlock())
}
