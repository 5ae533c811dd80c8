package closure

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// versionsOf lists, from a go.mod, what decides which code of other modules is taken: the
// version of Go with its settings and, if packages of other modules are imported, the versions
// of all modules, because each may be required by another. A tidy go.mod has them all.
func versionsOf(path string, imports []string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	f, err := modfile.Parse(path, text, nil)
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
			if !ours(r.Old.Path) {
				lines = append(lines, fmt.Sprintf("%s => %s", r.Old, r.New))
			}
		}
	}
	slices.Sort(lines)
	var b bytes.Buffer
	for _, l := range lines {
		fmt.Fprintln(&b, l)
	}
	return b.String(), nil
}

// ours reports whether a module is one of the checkout's.
func ours(module string) bool { return module == Module || strings.HasPrefix(module, Module+"/") }

// standard reports whether a package is one of Go's own, whose paths have no dot in their first
// element.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
