package submission

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	// MaxNotebook is the largest notebook that is read, in bytes. Outputs make them large.
	MaxNotebook = 64 << 20
	// maxNested is the largest archive within an archive that is looked into.
	maxNested = 64 << 20
	// maxEntries bounds the files of an archive.
	maxEntries = 100_000
)

// An entry is a file as it was handed in. Its path has slashes, and may be anything.
type entry struct {
	path string
	open func() (io.ReadCloser, error)
	// problem says why the file is not looked at.
	problem string
}

// A source is where entries come from.
type source struct {
	entries []entry
	close   func() error
}

// sourceOf lists the files of a folder, or of a zip file.
func sourceOf(at string) (*source, error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		list, err := inFolder(at)
		return &source{list, func() error { return nil }}, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is neither a folder nor a file", at)
	}
	if strings.EqualFold(filepath.Ext(at), ".ipynb") {
		return &source{[]entry{{path: filepath.Base(at), open: func() (io.ReadCloser, error) { return os.Open(at) }}}, func() error { return nil }}, nil
	}
	r, err := zip.OpenReader(at)
	if err != nil {
		return nil, fmt.Errorf("%s is neither a folder, a notebook nor a zip file: %w", at, err)
	}
	list, err := inArchive(&r.Reader, "")
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return &source{list, r.Close}, nil
}

func inFolder(root string) (list []entry, err error) {
	err = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(root, at)
		if relErr != nil {
			return relErr
		}
		name := filepath.ToSlash(rel)
		switch {
		case err != nil && at == root:
			return err
		case err != nil: // a folder that may not be read is its student's problem
			list = append(list, entry{path: name, problem: fmt.Sprintf("%s cannot be read: %v", shown(name), errors.Unwrap(err))})
			return fs.SkipDir
		case aside(name) && d.IsDir():
			return fs.SkipDir
		case d.IsDir() || aside(name):
			return nil
		case !d.Type().IsRegular():
			list = append(list, entry{path: name, problem: shown(name) + " is a link or no regular file, which is not read"})
			return nil
		}
		e := entry{path: name, open: func() (io.ReadCloser, error) { return openRegular(at) }}
		list = append(list, expanded(e)...)
		return nil
	})
	return list, err
}

// openRegular opens a file that still has to be regular: a link to somewhere else might
// have come in its place.
func openRegular(at string) (io.ReadCloser, error) {
	info, err := os.Lstat(at)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("no regular file")
	}
	return os.Open(at)
}

// inArchive lists the files of an archive, whose paths begin with prefix.
func inArchive(r *zip.Reader, prefix string) ([]entry, error) {
	if len(r.File) > maxEntries {
		return nil, fmt.Errorf("the archive has %d files; at most %d are read", len(r.File), maxEntries)
	}
	var list []entry
	for _, f := range r.File {
		name := strings.ReplaceAll(f.Name, `\`, "/") // as some programs of Windows write it
		if strings.HasSuffix(name, "/") || aside(name) {
			continue
		}
		e := entry{path: prefix + name, open: f.Open}
		if !f.Mode().IsRegular() {
			e.problem = shown(name) + " is a link or no regular file, which is not read"
		}
		if prefix == "" {
			list = append(list, expanded(e)...)
		} else {
			list = append(list, e)
		}
	}
	return list, nil
}

// expanded is the files of an archive in place of it, and any other file as it is.
func expanded(e entry) []entry {
	if e.problem != "" || !strings.EqualFold(path.Ext(e.path), ".zip") {
		return []entry{e}
	}
	data, err := read(e, maxNested)
	if err != nil {
		e.problem = fmt.Sprintf("%s: %v; hand in the notebook itself", shown(e.path), err)
		return []entry{e}
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		var list []entry
		if list, err = inArchive(r, strings.TrimSuffix(e.path, path.Ext(e.path))+"/"); err == nil {
			// The archive is not kept in memory: a class has many.
			for i := range list {
				list[i].open = again(e, i, list[i].path)
			}
			return list
		}
	}
	e.problem = fmt.Sprintf("%s is no zip file that can be read: %v", shown(e.path), err)
	return []entry{e}
}

// again opens the i-th file of an archive that is read anew.
func again(archive entry, i int, name string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		data, err := read(archive, maxNested)
		if err != nil {
			return nil, err
		}
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, err
		}
		list, err := inArchive(r, strings.TrimSuffix(archive.path, path.Ext(archive.path))+"/")
		if err != nil {
			return nil, err
		}
		if i >= len(list) || list[i].path != name {
			return nil, errors.New("the archive has changed")
		}
		return list[i].open()
	}
}

// read reads a file of at most limit bytes, however long it claims to be.
func read(e entry, limit int64) ([]byte, error) {
	r, err := e.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("larger than %d MiB", limit>>20)
	}
	return data, err
}

// aside reports whether a file was not handed in by anybody, but left by a program. In a
// folder that was handed out and worked in, lab setup has left its thousands.
func aside(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == ".lab" || part == ".venv" || strings.HasPrefix(part, ".venv.") || part == ".ipynb_checkpoints" || part == "__MACOSX" || part == ".git" || strings.HasPrefix(part, "._") || part == ".DS_Store" || part == "Thumbs.db" {
			return true
		}
	}
	return false
}
