// Package archives builds programs of Go from packages that the go command has compiled. What
// "go list -export" prints flows in; the arguments with which the compiler and the linker make
// a program flow out. The go command looks at every package again for each build, which takes
// longer than to compile a cell, so those who build many cells ask it once.
package archives

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/version"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
)

// Fields are the fields of a [Package], as go list's flag -json takes them.
const Fields = "ImportPath,Dir,Name,Export,DefaultGODEBUG,Standard,EmbedFiles,EmbedPatterns,Imports,GoFiles,Module"

// A Package is one that go list has listed.
type Package struct {
	ImportPath, Dir, Name, Export, DefaultGODEBUG string
	Standard                                      bool
	EmbedFiles, EmbedPatterns, Imports, GoFiles   []string
	Module                                        *struct {
		Path, Version, Dir, GoMod, GoVersion string
		Main                                 bool
		Replace                              *struct{}
	}
}

// Lang is the version of the language that the package's module is written in, "" for a package
// of no module.
func (p Package) Lang() string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return ""
	}
	return version.Lang("go" + p.Module.GoVersion)
}

// Read reads what go list has printed.
func Read(listed []byte) ([]Package, error) {
	var all []Package
	for d := json.NewDecoder(bytes.NewReader(listed)); ; {
		var p Package
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// A Set holds compiled packages, with what a program of them depends on besides.
type Set struct {
	// Archives are files of Go's build cache by import path.
	Archives map[string]string
	// Lang is the version of the language, and Debug the settings of the runtime.
	Lang, Debug string
}

// Add adds a package. Of the one called main only its settings are taken.
func (s *Set) Add(p Package) {
	if s.Archives == nil {
		s.Archives = map[string]string{}
	}
	if p.Name == "main" {
		s.Debug, s.Lang = p.DefaultGODEBUG, p.Lang()
	} else if p.Export != "" { // unsafe has none
		s.Archives[p.ImportPath] = p.Export
	}
}

// Has reports whether all of these packages are there.
func (s *Set) Has(imports []string) bool {
	return !slices.ContainsFunc(imports, func(path string) bool { return path != "unsafe" && s.Archives[path] == "" })
}

// Config is the file by which the compiler and the linker find packages.
func (s *Set) Config() []byte {
	var b bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(s.Archives)) {
		fmt.Fprintf(&b, "packagefile %s=%s\n", path, s.Archives[path])
	}
	return b.Bytes()
}

// Compile returns the compiler's arguments for the package main, without the names of its
// files. It leaves out what debuggers need, as the linker would.
func (s *Set) Compile(archive, config string, flags ...string) []string {
	return append([]string{"-o", archive, "-p", "main", "-complete", "-dwarf=false", "-lang=" + s.Lang, "-importcfg", config, "-pack"}, flags...)
}

// Link returns the linker's arguments for a program.
func (s *Set) Link(program, config, archive string) []string {
	args := []string{"-o", program, "-importcfg", config, "-buildmode=exe", "-s"}
	if s.Debug != "" {
		args = append(args, "-X=runtime.godebugDefault="+s.Debug)
	}
	return append(args, archive)
}

// Tool is the file of a tool of Go, "compile" or "link".
func Tool(goroot, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(goroot, "pkg", "tool", runtime.GOOS+"_"+runtime.GOARCH, name)
}
