// Package project knows where things are in a checkout of mllabs: its root, the
// folders that the command-line tool makes, and the notebooks by name.
package project

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Module is the path of the module whose checkout the tool works on.
const Module = "github.com/mllabs-go/mllabs"

// TestedVariable names an environment variable that lab test sets to a new value on every run.
// go test caches a test's result unless a file of the test's own module or an environment
// variable that the test reads has changed. Therefore tests that depend on the other modules
// of the checkout read this variable.
const TestedVariable = "MLLABS_TESTED"

// A Project is a checkout of the module.
type Project struct {
	// Root is the absolute path of the folder with go.mod.
	Root string
}

// Find returns the project that contains dir or one of its parents.
func Find(dir string) (Project, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Project{}, err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if name, err := moduleName(filepath.Join(d, "go.mod")); err == nil && name == Module {
			return Project{Root: d}, nil
		}
		if d == filepath.Dir(d) {
			return Project{}, fmt.Errorf("%s is not inside a checkout of %s; change to the folder that holds its go.mod and try again", dir, Module)
		}
	}
}

func moduleName(gomod string) (string, error) {
	f, err := os.Open(gomod)
	if err != nil {
		return "", err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, ok := strings.CutPrefix(strings.TrimSpace(s.Text()), "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", errors.New("no module line")
}

// Path joins elements to the root.
func (p Project) Path(elem ...string) string {
	return filepath.Join(append([]string{p.Root}, elem...)...)
}

// Lab joins elements to the private folder .lab, which may be deleted at any
// time.
func (p Project) Lab(elem ...string) string {
	return filepath.Join(append([]string{p.Root, ".lab"}, elem...)...)
}

// Rel is a path as seen from the root, for messages.
func (p Project) Rel(path string) string {
	if r, err := filepath.Rel(p.Root, path); err == nil && !strings.HasPrefix(r, "..") {
		return filepath.ToSlash(r)
	}
	return path
}

// Exists says whether a file or folder is there.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
