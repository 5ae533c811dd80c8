package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
)

// A watch is something in the file system that the go command's answer depends on.
type watch struct {
	Kind watchKind
	Path string
}

type watchKind string

const (
	// A file is its content, whatever its size and time say.
	file watchKind = "file"
	// A folder is the names of its files that the go command may compile.
	folder watchKind = "folder"
	// A tree is the names of all files and folders below a folder.
	tree watchKind = "tree"
)

// mostWatched bounds the entries of a tree: a greater one is left to the go command.
const mostWatched = 10_000

// digest tells states of what is watched apart, and when the last change of its files
// and folders began. What is not there has the digest "".
func (w watch) digest() (digest string, changed time.Time, err error) {
	info, err := os.Stat(w.Path)
	if err != nil {
		return "", time.Time{}, nil
	}
	changed = info.ModTime()
	h := sha256.New()
	switch w.Kind {
	case file:
		if info.IsDir() {
			return "folder", changed, nil
		}
		b, err := os.ReadFile(w.Path)
		if err != nil {
			return "", changed, err
		}
		h.Write(b)
	case folder:
		entries, err := os.ReadDir(w.Path)
		if err != nil {
			return "", changed, err
		}
		changed = time.Time{} // files for people come and go here, too
		for _, e := range entries {
			if compiled(e.Name()) {
				fmt.Fprintf(h, "%q %v\n", e.Name(), e.Type())
			}
		}
	case tree:
		n := 0
		err := filepath.WalkDir(w.Path, func(path string, e fs.DirEntry, err error) error {
			if n++; err != nil || n > mostWatched {
				return errOther
			}
			fmt.Fprintf(h, "%q %v\n", path, e.Type())
			if info, err := e.Info(); err == nil && e.IsDir() && info.ModTime().After(changed) {
				changed = info.ModTime()
			}
			return nil
		})
		if err != nil {
			return "", changed, err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), changed, nil
}

// compiled says whether the go command looks at a file of this name to build a package
// without C. It may be one that a build constraint leaves out today.
func compiled(name string) bool {
	return slices.Contains([]string{".go", ".s", ".S", ".sx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".syso", ".swig", ".swigcxx", ".c", ".cc", ".cpp", ".cxx", ".m", ".f", ".F", ".for", ".f90"}, filepath.Ext(name))
}

// watches lists what a package is made from.
func watches(l archives.Package) ([]watch, error) {
	all := []watch{{folder, l.Dir}}
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if compiled(e.Name()) {
			all = append(all, watch{file, filepath.Join(l.Dir, e.Name())})
		}
	}
	for _, name := range l.EmbedFiles {
		all = append(all, watch{file, filepath.Join(l.Dir, filepath.FromSlash(name))})
	}
	for _, pattern := range l.EmbedPatterns {
		pattern = strings.TrimPrefix(pattern, "all:")
		if meta := strings.IndexAny(pattern, `*?[\`); meta >= 0 {
			pattern = pattern[:strings.LastIndexByte(pattern[:meta], '/')+1]
		}
		path := filepath.Join(l.Dir, filepath.FromSlash(pattern))
		kind := file
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			kind = tree
		}
		all = append(all, watch{kind, path})
	}
	return all, nil
}
