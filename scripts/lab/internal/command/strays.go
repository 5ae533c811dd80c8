//go:build !light

package command

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// files are the files of a checkout, by path, as far as a cell has no business
// with them.
type files map[string]fileState

type fileState struct {
	size     int64
	modified time.Time
	mode     fs.FileMode
}

// files lists the checkout. Left out is what this tool and editors write while
// notebooks run.
func (e *env) files() files {
	list := files{}
	_ = filepath.WalkDir(e.Root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone again, or not to be read
		}
		if d.IsDir() {
			switch name := e.Rel(path); {
			case path == e.Root:
			case strings.HasPrefix(d.Name(), "."), name == "dist":
				return filepath.SkipDir
			}
			return nil
		}
		if info, err := d.Info(); err == nil {
			list[e.Rel(path)] = fileState{info.Size(), info.ModTime(), info.Mode()}
		}
		return nil
	})
	return list
}

// strays tells which files a run has left, changed or removed.
func strays(before, after files) (list []string) {
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if old, ok := before[path]; !ok {
			list = append(list, fmt.Sprintf("%s appeared", path))
		} else if old != after[path] {
			list = append(list, fmt.Sprintf("%s was changed", path))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[path]; !ok {
			list = append(list, fmt.Sprintf("%s was removed", path))
		}
	}
	return list
}
