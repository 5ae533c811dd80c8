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
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

const (
	// MaxNotebook is the largest notebook that is read, in bytes. Outputs make them large.
	MaxNotebook = 64 << 20
	// maxNested is the largest archive within an archive that is looked into, maxUnpacked how
	// much of archives is read for one file that was handed in, and maxDepth how deep they may
	// lie in each other.
	maxNested   = 64 << 20
	maxUnpacked = 4 * maxNested
	maxDepth    = 4
	// maxEntries bounds the files of an archive.
	maxEntries = 100_000
)

// An entry is a file as it was handed in. Its path has slashes, and may be anything.
type entry struct {
	path string
	time time.Time // when it was last changed; zero where that is not told
	// handed is when it was handed in, where the platform tells it.
	handed time.Time
	open   func() (io.ReadCloser, error)
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
	if one := (entry{path: filepath.Base(at), time: info.ModTime(), open: func() (io.ReadCloser, error) { return os.Open(at) }}); isNotebook(one) {
		return &source{[]entry{one}, func() error { return nil }}, nil
	}
	r, err := zip.OpenReader(at)
	if err != nil {
		return nil, fmt.Errorf("%s is neither a folder, a notebook nor a zip file: %w", at, err)
	}
	list, err := inArchive(&r.Reader, "", 0, nil)
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
		if info, err := d.Info(); err == nil {
			e.time = info.ModTime()
		}
		list = append(list, expanded(e, 1, nil)...)
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

// inArchive lists the files of an archive, whose paths begin with prefix. It is the archive that
// lies so deep in others; left is how much may still be read of those in it, nil for as much as is
// read of each file that was handed in.
func inArchive(r *zip.Reader, prefix string, depth int, left *int64) ([]entry, error) {
	if len(r.File) > maxEntries {
		return nil, fmt.Errorf("the archive has %d files; at most %d are read", len(r.File), maxEntries)
	}
	var list []entry
	for _, f := range r.File {
		name := f.Name
		if !utf8.ValidString(name) { // the zip format's own letters, which old programs of Windows write
			name, _ = charmap.CodePage437.NewDecoder().String(name)
		}
		name = strings.ReplaceAll(name, `\`, "/") // as some programs of Windows write it
		if strings.HasSuffix(name, "/") || aside(name) {
			continue
		}
		e := entry{path: prefix + name, time: f.Modified, open: f.Open}
		if !f.Mode().IsRegular() {
			e.problem = shown(name) + " is a link or no regular file, which is not read"
		}
		list = append(list, expanded(e, depth+1, left)...)
	}
	return list, nil
}

// expanded is the files of an archive in place of it, and any other file as it is.
func expanded(e entry, depth int, left *int64) []entry {
	if e.problem != "" || !strings.EqualFold(path.Ext(e.path), ".zip") {
		return []entry{e}
	}
	outermost := left == nil
	if outermost {
		left = new(int64)
		*left = maxUnpacked
	}
	if depth > maxDepth {
		e.problem = fmt.Sprintf("%s lies too deep in other archives; hand in the notebook itself", shown(e.path))
		return []entry{e}
	}
	data, err := read(e, min(maxNested, *left))
	if err != nil {
		e.problem = fmt.Sprintf("%s: %v; hand in the notebook itself", shown(e.path), err)
		return []entry{e}
	}
	*left -= int64(len(data))
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		var list []entry
		list, err = inArchive(r, strings.TrimSuffix(e.path, path.Ext(e.path))+"/", depth, left)
		if err == nil && len(list) == 0 {
			e.problem = shown(e.path) + " holds no files"
			return []entry{e}
		}
		if err == nil {
			if outermost { // the archive is not kept in memory: a class has many
				for i := range list {
					list[i].open = again(e, i, list[i].path)
				}
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
		left := int64(maxUnpacked - len(data))
		list, err := inArchive(r, strings.TrimSuffix(archive.path, path.Ext(archive.path))+"/", 1, &left)
		if err != nil {
			return nil, err
		}
		if i >= len(list) || list[i].path != name {
			return nil, errors.New("the archive has changed")
		}
		return list[i].open()
	}
}

// isNotebook says whether a file is one: by its name, or whatever it is called by what it holds,
// since mail programs and browsers add endings of their own.
func isNotebook(e entry) bool {
	if strings.EqualFold(path.Ext(e.path), ".ipynb") {
		return true
	}
	r, err := e.open()
	if err != nil {
		return false
	}
	head, err := io.ReadAll(io.LimitReader(r, 512))
	r.Close()
	if err != nil || !bytes.HasPrefix(bytes.TrimLeft(head, "\xef\xbb\xbf\xff\xfe\x00 \t\r\n"), []byte("{")) {
		return false
	}
	data, err := read(e, MaxNotebook)
	if err != nil {
		return false
	}
	nb, err := notebook.ParseSources(data)
	return err == nil && len(nb.Cells) > 0
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
		if part == ".lab" || part == ".venv" || strings.HasPrefix(part, ".venv.") || part == ".ipynb_checkpoints" || part == "__MACOSX" || part == ".git" || strings.HasPrefix(part, "._") || part == ".DS_Store" || part == "Thumbs.db" || part == "desktop.ini" {
			return true
		}
	}
	return false
}
