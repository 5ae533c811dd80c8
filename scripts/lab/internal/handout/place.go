package handout

import (
	"archive/zip"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// place writes the files to a folder and to a zip file beside it. Both are made under
// other names first, so that nothing is there by halves.
func place(files []file, dir string) (err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	prefix := "." + filepath.Base(dir) + ".tmp-"
	clear(filepath.Dir(dir), prefix)
	made, err := os.MkdirTemp(filepath.Dir(dir), prefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	lock := flock.New(filepath.Join(made, lockName))
	lock.TryLock() // some file systems know no locks
	defer lock.Unlock()
	folder, archive := filepath.Join(made, filepath.Base(dir)), filepath.Join(made, "zip")
	for _, f := range files {
		name := filepath.Join(folder, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.data, 0o644); err != nil {
			return err
		}
	}
	if err := writeZip(files, archive, filepath.Base(dir)); err != nil {
		return err
	}
	// An empty folder that was there gives way; one with files stops the renaming.
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(folder, dir); err != nil {
		return err
	}
	if err := os.Rename(archive, dir+".zip"); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// lockName is a file in the folder that place writes to, locked while its process lives.
const lockName = ".lock"

// started is about when this process began.
var started = time.Now()

// clear removes what killed processes left in a folder, of the names that place gives. One
// that another process works on is locked, or has just been made.
func clear(dir, prefix string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), prefix)
		info, err := e.Info()
		if !ours || err != nil || !info.IsDir() || strings.Trim(rest, "0123456789") != "" || !info.ModTime().Before(started) {
			continue
		}
		left := filepath.Join(dir, e.Name())
		if name := filepath.Join(left, lockName); project.Exists(name) {
			lock := flock.New(name)
			if free, err := lock.TryLock(); err == nil && !free {
				continue
			}
			lock.Unlock()
		}
		os.RemoveAll(left)
	}
}

// zipTime is the time of all files in a zip, so that one checkout makes one file.
var zipTime = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func writeZip(files []file, name, top string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := zip.NewWriter(f)
	for _, file := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: path.Join(top, file.path), Method: zip.Deflate, Modified: zipTime})
		if err != nil {
			return err
		}
		if _, err := w.Write(file.data); err != nil {
			return err
		}
	}
	return z.Close()
}
