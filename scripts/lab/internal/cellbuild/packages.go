package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// packages are what the programs of a kernel are made of, as the go command tells.
type packages struct {
	// Roots were asked for, and Archives are these and all that they import, compiled:
	// files of Go's build cache by import path.
	Roots    []string
	Archives map[string]string
	// Lang is the version of the language and Debug the settings of the runtime that
	// the kernel's go.mod asks for.
	Lang, Debug string
	// Env and Stamps are what the answer depends on: the environment's settings of Go,
	// and the state of files and folders by their path.
	Env    []string
	Stamps map[string]string
}

// has says whether all of these imports are known.
func (p packages) has(imports []string) bool {
	return !slices.ContainsFunc(imports, func(path string) bool { return p.Archives[path] == "" })
}

// config is the file by which the compiler and the linker find packages.
func (p packages) config() []byte {
	var b bytes.Buffer
	for path, archive := range p.Archives {
		fmt.Fprintf(&b, "packagefile %s=%s\n", path, archive)
	}
	return b.Bytes()
}

// keptName is the file in the kernel's folder that keeps the packages for the next cell.
const keptName = ".cellbuild.json"

var errChanged = errors.New("something has changed since the go command was asked")

// kept reads what is kept in dir. If the go command might answer differently now, the
// error is errChanged, and only the roots are of use.
func kept(dir string) (p packages, err error) {
	b, err := os.ReadFile(filepath.Join(dir, keptName))
	if err != nil {
		return packages{}, err
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return packages{}, err
	}
	if !slices.Equal(p.Env, settings()) {
		return p, errChanged
	}
	for path, was := range p.Stamps {
		if now, _ := stamp(path); now != was {
			return p, errChanged
		}
	}
	for _, archive := range p.Archives { // the go command deletes what is old
		if _, err := os.Stat(archive); err != nil {
			return p, errChanged
		}
	}
	return p, nil
}

// settings are the environment's settings of Go.
func settings() []string {
	s := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GONB") || !strings.HasPrefix(kv, "GO") && !strings.HasPrefix(kv, "CGO_")
	})
	slices.Sort(s)
	return s
}

// stamp tells states of a file or folder apart, and when the last began. What is not
// there has the stamp "".
func stamp(path string) (string, time.Time) {
	info, err := os.Stat(path)
	if err != nil {
		return "", time.Time{}
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano()), info.ModTime()
}

// A listed is what go list tells of a package.
type listed struct {
	ImportPath, Dir, Name, Export, DefaultGODEBUG string
	Standard                                      bool
	EmbedFiles                                    []string
	Module                                        *struct {
		GoMod, GoVersion string
		Main             bool
		Replace          *struct{}
	}
}

// watch adds the files and folders that the package is made from.
func (l listed) watch(paths []string) ([]string, error) {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return nil, err
	}
	paths = append(paths, l.Dir)
	for _, e := range entries {
		if !e.IsDir() {
			paths = append(paths, filepath.Join(l.Dir, e.Name()))
		}
	}
	for _, name := range l.EmbedFiles {
		path := filepath.Join(l.Dir, filepath.FromSlash(name))
		paths = append(paths, path, filepath.Dir(path))
	}
	return paths, nil
}

// withSum is a go.mod with the go.sum beside it.
func withSum(gomod string) []string {
	return []string{gomod, strings.TrimSuffix(gomod, "mod") + "sum"}
}

// ask lets the go command compile all that the cell in dir and roots import, and the
// cell itself, whose archive it returns. What it tells is kept in dir.
func ask(dir, goCommand string, roots, imports []string) (p packages, cell string, err error) {
	os.Remove(filepath.Join(dir, keptName))
	// The clock of the file system may be a little late.
	start := time.Now().Add(-50 * time.Millisecond)
	roots = slices.Compact(slices.Sorted(slices.Values(slices.Concat(roots, imports))))
	p = packages{Roots: roots, Archives: map[string]string{}, Env: settings(), Stamps: map[string]string{}}
	watched := []string{os.Getenv("GOENV")}
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
		watched = append(watched, filepath.Join(dir, name))
	}

	// A module that no package is from may still say which versions are taken.
	modules := exec.Command(goCommand, "list", "-m", "-f", "{{.GoMod}}")
	modules.Dir = dir
	out, err := modules.Output()
	if err != nil {
		return p, "", err
	}
	for gomod := range strings.Lines(string(out)) {
		watched = append(watched, withSum(strings.TrimSuffix(gomod, "\n"))...)
	}

	cmd := exec.Command(goCommand, slices.Concat([]string{"list", "-deps", "-export",
		"-json=ImportPath,Dir,Name,Export,DefaultGODEBUG,Standard,EmbedFiles,Module", "."}, roots)...)
	cmd.Dir = dir
	if out, err = cmd.Output(); err != nil {
		return p, "", err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); err == io.EOF {
			break
		} else if err != nil {
			return p, "", err
		}
		if l.Name == "main" {
			if cell != "" || l.Module == nil || l.Module.GoVersion == "" {
				return p, "", errOther
			}
			cell, p.Debug, p.Lang = l.Export, l.DefaultGODEBUG, version.Lang("go"+l.Module.GoVersion)
			continue
		}
		if l.Export != "" { // unsafe has none
			p.Archives[l.ImportPath] = l.Export
		}
		switch {
		case l.Standard, l.Module != nil && !l.Module.Main && l.Module.Replace == nil:
			// It is the same for ever.
		case l.Module == nil:
			return p, "", errOther
		default:
			watched = append(watched, withSum(l.Module.GoMod)...)
			if watched, err = l.watch(watched); err != nil {
				return p, "", err
			}
		}
	}
	if cell == "" {
		return p, "", errOther
	}
	for _, path := range watched {
		s, changed := stamp(path)
		if changed.After(start) { // perhaps after the go command had looked at it
			return p, cell, nil
		}
		p.Stamps[path] = s
	}
	b, err := json.Marshal(p)
	if err != nil {
		return p, "", err
	}
	return p, cell, os.WriteFile(filepath.Join(dir, keptName), b, 0o600)
}
