package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
)

// errOther says that the go command has to build the program.
var errOther = errors.New("not a cell of the usual kind")

// build makes the program target of the cell in dir, with the Go in goroot.
func build(dir, goroot, target string) error {
	// No other flags can be followed: the linker's and the compiler's part of these is in
	// the commands below.
	if os.Getenv("GOFLAGS") != archives.GOFLAGS || os.Getenv("CGO_ENABLED") != "0" {
		return errOther
	}
	imports, err := importsOf(dir)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "cellbuild")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	cell, config := filepath.Join(work, "cell.a"), filepath.Join(work, "importcfg")

	p, err := kept(dir, goroot)
	known := err == nil && p.Has(imports)
	if !known {
		roots := p.Roots
		p, cell, err = ask(dir, goroot, roots, imports)
		if err != nil && len(roots) > 0 { // one that an earlier cell imports may be broken
			p, cell, err = ask(dir, goroot, nil, imports)
		}
		if err != nil {
			return err
		}
	}
	if err := os.WriteFile(config, p.Config(), 0o600); err != nil {
		return err
	}
	if known { // without what debuggers need, which the linker leaves out anyway
		if err := run(dir, goroot, "compile", p.Compile(cell, config, fmt.Sprintf("-c=%d", min(4, runtime.NumCPU())), "./"+source)...); err != nil {
			return err
		}
	}
	if os.Getenv(notRun) != "" {
		return nil // it has compiled, which is all that the kernel asks
	}
	return run(dir, goroot, "link", p.Link(target, config, cell)...)
}

// notRun is the environment variable with which the kernel says that it will not run a program,
// since its cell only declares.
const notRun = "GONB_NOT_RUN"

// run runs a tool of Go as the go command does.
func run(dir, goroot, tool string, args ...string) error {
	cmd := exec.Command(archives.Tool(goroot, tool), args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOROOT="+goroot)
	return cmd.Run()
}

// source is the file that the kernel writes.
const source = "main.go"

// directives are what the go command or the linker reads in a source, and not only the
// compiler. A string that holds one goes to the go command as well.
var directives = [][]byte{[]byte("//go:"), []byte("// +build"), []byte("//export"), []byte("//extern")}

// importsOf lists what the program imports. It has to be in a single file, and nothing
// in it may ask for more than the compiler: C, files to embed, directives, or what the
// program is made of, which the go command tells its own programs and build does not.
func importsOf(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || !slices.Equal(files, []string{filepath.Join(dir, source)}) {
		return nil, errOther
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(directives, func(d []byte) bool { return bytes.Contains(text, d) }) {
		return nil, errOther
	}
	file, err := parser.ParseFile(token.NewFileSet(), files[0], text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var imports []string
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		// What is internal to a module may be in the list as something that others import.
		if err != nil || path == "C" || path == "embed" || path == "runtime/debug" || slices.Contains(strings.Split(path, "/"), "internal") {
			return nil, errOther
		}
		if path != "unsafe" { // the compiler knows it
			imports = append(imports, path)
		}
	}
	return imports, nil
}
