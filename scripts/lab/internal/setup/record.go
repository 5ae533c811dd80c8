package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
)

// A record says what something was made of, and what its files were then, so that
// damage is noticed and made good.
type record struct {
	Stamp string            `json:"stamp"`
	Files map[string]string `json:"files"` // what identifies each, by its path below a folder
}

// An identify returns what identifies the file at a path.
type identify func(path string) (string, error)

// byContents is for the few files that all else depends on: the kernel's 25 MB take 20 ms.
func byContents(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%v %x", info.Mode()&0o700, h.Sum(nil)), nil
}

// byLooks is for the ten thousand files of an environment.
func byLooks(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		to, err := os.Readlink(path)
		return "-> " + to, err
	}
	return fmt.Sprintf("%v %d %d", info.Mode(), info.Size(), info.ModTime().UnixNano()), nil
}

// newRecord records files below a folder.
func newRecord(stamp, dir string, files []string, by identify) (*record, error) {
	r := &record{Stamp: stamp, Files: map[string]string{}}
	for _, name := range files {
		id, err := by(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		r.Files[name] = id
	}
	return r, nil
}

func (r *record) write(path string) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return keep(path, b, 0o644)
}

// readRecord returns the record at a path, or nil.
func readRecord(path string) *record {
	b, err := readNote(path)
	var r record
	if err != nil || json.Unmarshal(b, &r) != nil || len(r.Files) == 0 {
		return nil
	}
	return &r
}

// readNote reads a file in which set-up has noted something. One without the right to
// read it is no note to root either, who then mends it for everybody.
func readNote(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&0o400 == 0 {
		err = fs.ErrPermission
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// intact tells whether the files below a folder are as they were made.
func (r *record) intact(dir string, by identify) bool {
	if r == nil {
		return false
	}
	for name, want := range r.Files {
		if id, err := by(filepath.Join(dir, name)); err != nil || id != want {
			return false
		}
	}
	return true
}

// filesOf are the files of an environment but for those that Python writes as it runs.
func filesOf(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "__pycache__":
			return filepath.SkipDir
		case d.IsDir() || strings.HasSuffix(d.Name(), ".pyc"):
			return nil
		}
		name, err := filepath.Rel(dir, path)
		files = append(files, name)
		return err
	})
	return files, err
}

// keep writes a file unless it stands there already, over whatever else does.
func keep(path string, data []byte, mode fs.FileMode) error {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().IsRegular() && info.Mode()&0o700 == mode&0o700 {
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
			return nil
		}
	} else if err == nil {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	if err := folder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := atomicfile.Write(path, data); err != nil {
		return err
	}
	if mode&0o111 == 0 {
		return nil
	}
	return os.Chmod(path, mode)
}

// folder makes a folder, also where a file stands.
func folder(path string) error {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return os.MkdirAll(path, 0o755)
}
