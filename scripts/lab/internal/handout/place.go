package handout

import (
	"archive/zip"
	"errors"
	"os"
	"path"
	"path/filepath"
	"time"
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
	made, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
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
