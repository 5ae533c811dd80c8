package processor

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A listed package is what the go command says of it.
type listed struct {
	ImportPath                                   string
	Dir                                          string
	GoFiles, CgoFiles, SFiles, CFiles, SysoFiles []string
}

// library lists the packages of mlcore as they are built for amd64 or arm64 with the tags.
func library(t *testing.T, arch, tags string) (packages []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,CgoFiles,SFiles,CFiles,SysoFiles", "-tags", tags, "./...")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("go list: %v\n%s", err, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// withoutBody returns the functions of a package that Go declares and does not define.
func (p listed) withoutBody(t *testing.T) (names []string) {
	t.Helper()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// With the build tag purego all is Go: no file of another language is built, and no
// function is declared whose body would be in one.
func TestPurego(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		packages := library(t, arch, "purego")
		if len(packages) < 30 {
			t.Fatalf("%s: the go command lists %d packages", arch, len(packages))
		}
		for _, p := range packages {
			if other := slices.Concat(p.SFiles, p.CgoFiles, p.CFiles, p.SysoFiles); len(other) > 0 {
				t.Errorf("%s, purego: %s is built from %q", arch, p.ImportPath, other)
			}
			if names := p.withoutBody(t); len(names) > 0 {
				t.Errorf("%s, purego: %s has no body for %q", arch, p.ImportPath, names)
			}
		}
	}
}

// Without the tag there is assembly on both, each file of it behind the tag by its own
// first line: that is how TestPurego notices one that is not.
func TestAssemblyIsBehindTheTag(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		files := 0
		for _, p := range library(t, arch, "") {
			for _, name := range p.SFiles {
				files++
				data, err := os.ReadFile(filepath.Join(p.Dir, name))
				if err != nil {
					t.Fatal(err)
				}
				if first, _, _ := strings.Cut(string(data), "\n"); first != "//go:build !purego" {
					t.Errorf("%s/%s begins with %q, not with //go:build !purego", p.ImportPath, name, first)
				}
			}
			if len(p.SFiles) > 0 && len(p.withoutBody(t)) == 0 {
				t.Errorf("%s: %s has assembly that nothing declares", arch, p.ImportPath)
			}
		}
		if files == 0 {
			t.Errorf("there is no assembly for %s", arch)
		}
	}
}
