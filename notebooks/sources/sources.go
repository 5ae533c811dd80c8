// Package sources says what the outputs of a notebook depend on beside its cells. The
// root of a checkout flows in, a hash flows out that changes with any of it: the
// packages that a notebook may import, other files in their folders, what their modules
// require, go.sum, and the version of Go. The tool runs a notebook again, and
// [github.com/mllabs-go/mllabs/notebooks/nbkit/memo.Of] computes a value again, when it
// has changed.
package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// folders hold the packages that a notebook may import. A notebook imports nothing
// of scripts.
var folders = []string{"mlcore", "datasets", "notebooks"}

// Hash returns the hash for the checkout at root. Tests, their data, notebooks and
// Markdown are left out, and so are data files, whose bytes the catalogue pins.
func Hash(root string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", runtime.Version(), runtime.GOARCH)
	files := []string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")}
	for _, folder := range folders {
		found, err := within(root, folder)
		if err != nil {
			return "", err
		}
		files = append(files, found...)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return "", err
		}
		if filepath.Base(name) == "go.mod" {
			b = requirements(b)
		}
		fmt.Fprintf(h, "%s %d\n", filepath.ToSlash(name), len(b))
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// within lists the files of a folder that matter, in the order of their names. A
// folder that does not exist has none.
func within(root, folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		name := d.Name()
		hidden := strings.HasPrefix(name, ".")
		switch {
		case d.IsDir() && (hidden || name == "testdata" || path == filepath.Join(root, "datasets", "files")):
			return filepath.SkipDir
		case hidden, strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".test"), strings.HasSuffix(name, ".ipynb"), strings.HasSuffix(name, ".md"):
		default:
			// A pipe or a device would never end.
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				files = append(files, path)
			}
		}
		return nil
	})
	return files, err
}

// requirements are the lines of a go.mod without comments and order, which mean
// nothing to a build.
func requirements(gomod []byte) []byte {
	lines := strings.Split(string(gomod), "\n")
	for i, line := range lines {
		line, _, _ = strings.Cut(line, "//")
		lines[i] = strings.TrimSpace(line)
	}
	slices.Sort(lines)
	return []byte(strings.TrimSpace(strings.Join(slices.Compact(lines), "\n")))
}
