// Package closure hashes what Go code is made of. Import paths flow in; a hash flows out that
// changes with the code of these packages and of every package that they import, directly or
// not, with the files that they embed, and with the versions of the modules that they require.
// It does not change with a comment, a test or Markdown. Whoever keeps something that was
// computed keeps the hash with it, and computes it again when the hash is another one.
//
// The hash is the same on every machine, since a folder counts as a whole, whatever system or
// processor a file is for. Nothing is compiled or fetched for it.
package closure

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Module is the path of the module whose checkout is read. The modules of its folders
// notebooks and scripts have paths below it.
const Module = "github.com/mllabs-go/mllabs"

// A Tree is the sources of a checkout, of which each package is read once. It may be used by
// several goroutines at a time.
type Tree struct {
	root string

	mu       sync.Mutex
	packages map[string]*source
	data     map[string][]string
}

// Open returns the tree of the checkout at root.
func Open(root string) *Tree {
	return &Tree{root: root, packages: map[string]*source{}}
}

// Hash hashes the packages with these import paths and everything that they import. What does
// not belong to the checkout counts by the version that go.mod requires; the standard library
// counts by go.mod's version of Go. It is an error if a package of the checkout cannot be read.
func (t *Tree) Hash(imports ...string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, others, err := t.reach(imports)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	io.WriteString(h, hashOf(own))
	main := "notebooks" // cells are built in this module, whatever they import
	for path := range own {
		if moduleOf(path) == "scripts" {
			main = "scripts"
		}
	}
	versions, err := versionsOf(filepath.Join(t.root, main, "go.mod"), others)
	if err != nil {
		return "", err
	}
	written, err := languages(t.root, own)
	if err != nil {
		return "", err
	}
	io.WriteString(h, versions+written)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Own is [Tree.Hash] without the versions of Go and of other modules.
func (t *Tree) Own(imports ...string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, _, err := t.reach(imports)
	return hashOf(own), err
}

func hashOf(own map[string]*source) string {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(own)) {
		fmt.Fprintf(h, "%s %s\n", path, own[path].hash)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Packages lists the packages of the checkout that these import, directly or not, and those of
// these that belong to it, in alphabetical order.
func (t *Tree) Packages(imports ...string) ([]string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, _, err := t.reach(imports)
	return slices.Sorted(maps.Keys(own)), err
}

// reach finds the packages of the checkout, and lists the others, to which imports lead.
func (t *Tree) reach(imports []string) (own map[string]*source, others []string, err error) {
	own = map[string]*source{}
	foreign := map[string]bool{}
	var visit func(path string) error
	visit = func(path string) error {
		if own[path] != nil || foreign[path] {
			return nil
		}
		rel, inside := t.folder(path)
		if !inside {
			foreign[path] = true
			return nil
		}
		s, err := t.read(path, rel)
		if err != nil {
			return err
		}
		own[path] = s
		for _, p := range s.imports {
			if err := visit(p); err != nil {
				return err
			}
		}
		return nil
	}
	for _, path := range imports {
		if err := visit(path); err != nil {
			return nil, nil, err
		}
	}
	return own, slices.Sorted(maps.Keys(foreign)), nil
}

// folder is that of a package of the checkout, relative to its root.
func (t *Tree) folder(path string) (rel string, inside bool) {
	rel, inside = strings.CutPrefix(path, Module)
	if !inside || rel != "" && rel[0] != '/' {
		return "", false
	}
	return strings.TrimPrefix(rel, "/"), true
}

func (t *Tree) read(path, rel string) (*source, error) {
	if s := t.packages[path]; s != nil {
		return s, nil
	}
	s, err := readSource(filepath.Join(t.root, filepath.FromSlash(rel)), rel == dataPackage)
	if err != nil {
		return nil, fmt.Errorf("package %s: %w", path, err)
	}
	t.packages[path] = s
	return s, nil
}
