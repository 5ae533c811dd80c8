// Package gonb mends the Go kernel, GoNB, when it is built. Each file of the folder patches is a
// change as one would send it to the project: the text of the report, then a diff with its test. The
// diffs build on each other in the order of their names. A version of GoNB flows in; its changed
// files flow out, in a copy of its module. Apart from the lines that the diffs
// show, no file of GoNB is in this repository.
package gonb

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Module is the path of the kernel's module.
const Module = "github.com/janpfeifer/gonb"

//go:embed patches/*.diff
var patches embed.FS

// A patch is one change: the text of its report, and the files that it changes.
type patch struct {
	name, report string
	files        []*gitdiff.File
}

// read reads the patches of a file system in the order of their names.
func read(from fs.FS) (all []patch, err error) {
	names, err := fs.Glob(from, "patches/*.diff")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		p := patch{name: path.Base(name)}
		if p.files, p.report, err = gitdiff.Parse(bytes.NewReader(text)); err == nil && len(p.files) == 0 {
			err = errors.New("it changes no file")
		}
		if err != nil {
			return nil, fmt.Errorf("%s is not a diff that can be applied to the Go kernel: %w", p.name, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// changed applies the patches to the files of a module and returns the changed files by their
// slash-separated names.
func changed(module fs.FS, all []patch) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, p := range all {
		for _, f := range p.files {
			old, known := files[f.OldName]
			if !f.IsNew && !known {
				var err error
				if old, err = fs.ReadFile(module, f.OldName); err != nil {
					return nil, p.refused(f.OldName, err)
				}
			}
			var text bytes.Buffer
			if err := gitdiff.Apply(&text, bytes.NewReader(old), f); err != nil {
				return nil, p.refused(f.NewName, err)
			}
			files[f.NewName] = text.Bytes()
		}
	}
	return files, nil
}

func (p patch) refused(file string, err error) error {
	return fmt.Errorf("%s does not apply to %s of this version of the Go kernel: %w; if the version contains the change, remove the diff, otherwise write it again", p.name, file, err)
}

// Prepare copies the kernel's module, which is in one folder, to another, applies the patches to the
// copy, and writes a go.mod, with its go.sum, that is that of the tool's module with the copy in place
// of the version. It returns the path that go build -modfile takes. (Go refuses -overlay for
// files of its module cache.)
func Prepare(tool, module, to string) (modfile string, err error) {
	all, err := read(patches)
	if err != nil {
		return "", err
	}
	files, err := changed(os.DirFS(module), all)
	if err != nil {
		return "", err
	}
	source := filepath.Join(to, "gonb")
	if err := os.CopyFS(source, sources{os.DirFS(module)}); err != nil {
		return "", err
	}
	for name, text := range files {
		path := filepath.Join(source, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(to, "go.mod")
	for name, more := range map[string]string{"go.mod": fmt.Sprintf("\nreplace %s => %q\n", Module, source), "go.sum": ""} {
		text, err := os.ReadFile(filepath.Join(tool, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(to, name), append(text, more...), 0o644); err != nil {
			return "", err
		}
	}
	return modfile, nil
}

// sources is a module without its documents, which are 64 MB.
type sources struct{ fs.FS }

func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(list, func(d fs.DirEntry) bool { return d.Name() == "docs" }), err
}

// Sum returns a hash of what the patches change in the kernel. Reports and tests do not count.
func Sum() (string, error) {
	all, err := read(patches)
	return sum(all), err
}

func sum(all []patch) string {
	h := sha256.New()
	for _, p := range all {
		for _, f := range p.files {
			if !strings.HasSuffix(f.NewName, "_test.go") {
				fmt.Fprintln(h, f.NewName)
				for _, part := range f.TextFragments {
					fmt.Fprintln(h, part)
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
