package closure

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/sumdb/dirhash"
)

// versionsOf lists, from a go.mod, what decides which code of other modules is taken: the
// version of Go with its settings and, if packages of other modules are imported, the versions
// of all modules, because each may be required by another. A tidy go.mod has them all. A module
// that is replaced by a folder counts by the folder's files.
func versionsOf(path string, imports []string) (string, error) {
	f, err := readMod(path)
	if err != nil {
		return "", err
	}
	var lines []string
	if f.Go != nil {
		lines = append(lines, "go "+f.Go.Version)
	}
	for _, d := range f.Godebug {
		lines = append(lines, "godebug "+d.Key+"="+d.Value)
	}
	if slices.ContainsFunc(imports, func(p string) bool { return !standard(p) }) {
		for _, r := range f.Require {
			if !ours(r.Mod.Path) {
				lines = append(lines, r.Mod.String())
			}
		}
		for _, r := range f.Replace {
			if ours(r.Old.Path) {
				continue
			}
			sum := ""
			if r.New.Version == "" {
				dir := filepath.FromSlash(r.New.Path)
				if !filepath.IsAbs(dir) {
					dir = filepath.Join(filepath.Dir(path), dir)
				}
				if sum, err = dirhash.HashDir(dir, "", dirhash.Hash1); err != nil {
					return "", fmt.Errorf("%s: the replacement of %s: %w", path, r.Old.Path, err)
				}
			}
			lines = append(lines, fmt.Sprintf("%s => %s %s", r.Old, r.New, sum))
		}
	}
	slices.Sort(lines)
	var b bytes.Buffer
	for _, l := range lines {
		fmt.Fprintln(&b, l)
	}
	return b.String(), nil
}

// languages lists the versions of Go in which the modules of the checkout at root write these
// packages of theirs.
func languages(root string, packages map[string]*source) (string, error) {
	var b strings.Builder
	for _, folder := range []string{"", "notebooks", "scripts"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(packages)), func(p string) bool { return moduleOf(p) == folder }) {
			continue
		}
		f, err := readMod(filepath.Join(root, folder, "go.mod"))
		if err != nil {
			return "", err
		}
		if f.Go != nil {
			fmt.Fprintf(&b, "language of %q %s\n", folder, f.Go.Version)
		}
	}
	return b.String(), nil
}

// moduleOf returns the folder of the module that a package of the checkout belongs to, "" for
// the library's.
func moduleOf(path string) string {
	for _, folder := range []string{"notebooks", "scripts"} {
		if path == Module+"/"+folder || strings.HasPrefix(path, Module+"/"+folder+"/") {
			return folder
		}
	}
	return ""
}

func readMod(path string) (*modfile.File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(path, text, nil)
}

// ours reports whether a module is one of the checkout's.
func ours(module string) bool { return module == Module || strings.HasPrefix(module, Module+"/") }

// standard reports whether a package is one of Go's own, whose paths have no dot in their first
// element.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
