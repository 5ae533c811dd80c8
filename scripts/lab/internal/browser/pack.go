package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// packages compiles packages and all that they import for the browser, as a student gets
// them: without the files that no folder to hand out has.
func (g *goCommand) packages(ctx context.Context, imports []string, source string) (map[string]archives.Package, error) {
	var b bytes.Buffer
	b.WriteString("package main\n")
	for _, p := range imports {
		fmt.Fprintf(&b, "import _ %q\n", p)
	}
	b.WriteString("func main() {}\n")
	if err := os.WriteFile(source, b.Bytes(), 0o600); err != nil {
		return nil, err
	}
	texts, err := g.printing()
	if err != nil {
		return nil, err
	}
	file, err := overlay(texts, filepath.Dir(source), "printing")
	if err != nil {
		return nil, err
	}
	out, err := g.run(ctx, "list", "-overlay", file, "-tags="+archives.Tags+",handout", "-gcflags="+archives.Compiler, "-trimpath", "-deps", "-export", "-json="+archives.Fields, source)
	if err != nil {
		return nil, err
	}
	listed, err := archives.Read(out)
	if err != nil {
		return nil, err
	}
	all := map[string]archives.Package{}
	for _, l := range listed {
		all[l.ImportPath] = l
	}
	return all, nil
}

// needs are the packages that these need, directly or not, with themselves.
func needs(all map[string]archives.Package, roots []string) map[string]bool {
	found := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if l, there := all[path]; there && !found[path] {
			found[path] = true
			for _, p := range l.Imports {
				visit(p)
			}
		}
	}
	for _, r := range roots {
		visit(r)
	}
	return found
}

// Names of the packs that courses share.
const (
	standardPack = "standard" // of Go and of other modules
	libraryPack  = "mlcore"   // of this project
)

// divide says what goes into which pack: what several courses need into those that they
// share, what one needs alone into its own. always are packages that any cell may use.
func divide(all map[string]archives.Package, always []string, courses map[string][]string) map[string][]string {
	packs := map[string][]string{}
	needed := map[string]map[string]bool{"": needs(all, always)}
	for name, roots := range courses {
		needed[name] = needs(all, roots)
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if all[path].Export == "" || all[path].Name == "main" { // unsafe has none
			continue
		}
		var by []string
		for _, name := range slices.Sorted(maps.Keys(needed)) {
			if needed[name][path] {
				by = append(by, name)
			}
		}
		own := strings.HasPrefix(path, project.Module)
		switch {
		case len(by) == 0: // a package's own dependency that the go command adds for main
			packs[standardPack] = append(packs[standardPack], path)
		case len(by) == 1 && by[0] != "":
			packs[by[0]] = append(packs[by[0]], path)
		case own:
			packs[libraryPack] = append(packs[libraryPack], path)
		default:
			packs[standardPack] = append(packs[standardPack], path)
		}
	}
	return packs
}

// pack is the archives of packages in one: a line of JSON that lists their paths and sizes,
// then one after the other.
func pack(all map[string]archives.Package, paths []string) ([]byte, error) {
	type entry struct {
		Path string `json:"path"`
		Size int    `json:"size"`
	}
	var entries []entry
	var archives [][]byte
	for _, p := range paths {
		b, err := os.ReadFile(all[p].Export)
		if err != nil {
			return nil, err
		}
		entries, archives = append(entries, entry{p, len(b)}), append(archives, b)
	}
	head, err := json.Marshal(entries)
	if err != nil {
		return nil, err
	}
	return bytes.Join(append([][]byte{append(head, '\n')}, archives...), nil), nil
}

// notice is the licences of what the files of the engine are made of: binaries may be given
// on only with them.
func (g *goCommand) notice(all map[string]archives.Package) ([]byte, error) {
	folders := map[string]string{"Go": g.goroot}
	for _, l := range all {
		if m := l.Module; m != nil && m.Dir != "" && !strings.HasPrefix(m.Path, project.Module+"/") {
			folders[strings.TrimSpace(m.Path+" "+m.Version)] = m.Dir
		}
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		var text []byte
		for _, file := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"} {
			if text == nil {
				text, _ = os.ReadFile(filepath.Join(folders[name], file))
			}
		}
		if text == nil {
			return nil, fmt.Errorf("%s brings no licence; what is made of it cannot be given on", name)
		}
		fmt.Fprintf(&b, "==== %s\n\n%s\n", name, bytes.TrimSpace(text))
	}
	return b.Bytes(), nil
}

// language is the version of Go that cells are written in.
func language(all map[string]archives.Package) string {
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(path, project.Module+"/notebooks/") {
			return all[path].Lang()
		}
	}
	return ""
}
