package mlcore_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A snippet is Go code in a comment or in a page of Markdown.
type snippet struct{ where, pkg, code string }

// Code in documentation compiles, as far as a fragment can: every name of a package,
// every field and every argument has to exist. Names that a fragment does not declare,
// such as X and err, are the reader's.
func TestSnippetsCompile(t *testing.T) {
	found := slices.Concat(inComments(t, "."), inMarkdown(t, "README.md"), inMarkdown(t, "CHANGELOG.md"), inMarkdown(t, "../README.md"))
	paths, lookup := exported(t)
	imports := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	checked := 0
	for _, s := range found {
		src, ok := wrapped(s, paths)
		if !ok {
			continue
		}
		checked++
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, "snippet.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		cfg := types.Config{Importer: imports, Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) && !readers(e.Msg) {
				t.Errorf("%s: %s\n%s", s.where, e.Msg, s.code)
			}
		}}
		_, _ = cfg.Check("snippet", files, []*ast.File{file}, nil)
	}
	if checked < 15 {
		t.Errorf("only %d of %d snippets are Go", checked, len(found))
	}
}

// readers reports whether a message of the type checker is about what a fragment
// leaves to its reader.
func readers(message string) bool {
	return strings.HasPrefix(message, "declared and not used") || strings.Contains(message, "is not used") ||
		strings.HasPrefix(message, "no new variables") || strings.Contains(message, "imported and not used") ||
		strings.Contains(message, "imported as") ||
		undeclared.MatchString(message)
}

var undeclared = regexp.MustCompile(`^undefined: \w+$`)

// wrapped makes a file of a snippet, if it is Go: declarations, or statements that
// become the body of a function. Packages are imported by their names.
func wrapped(s snippet, paths map[string]string) (string, bool) {
	code := strings.ReplaceAll(s.code, "…", "nil")
	if strings.Contains(code, "package main") || strings.HasPrefix(strings.TrimSpace(code), "import ") || !strings.ContainsAny(code, "({") {
		return "", false
	}
	for _, form := range []string{"func _() {\n%s\n}\n", "%s\n", "var _ = []any{%s}\n"} {
		text := fmt.Sprintf(form, code)
		file, err := parser.ParseFile(token.NewFileSet(), "", "package snippet\n"+text, 0)
		if err != nil {
			continue
		}
		var lines strings.Builder
		lines.WriteString("package snippet\n")
		named := map[string]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Obj == nil && paths[x.Name] != "" && !named[x.Name] {
					named[x.Name] = true
					fmt.Fprintf(&lines, "import %s %q\n", x.Name, paths[x.Name])
				}
			}
			return true
		})
		if len(named) == 0 {
			return "", false
		}
		return lines.String() + text, true
	}
	return "", false
}

// inComments collects the code blocks of all documentation below dir.
func inComments(t *testing.T, dir string) []snippet {
	t.Helper()
	var found []snippet
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			for _, block := range new(comment.Parser).Parse(group.Text()).Content {
				if code, ok := block.(*comment.Code); ok {
					found = append(found, snippet{path, file.Name.Name, code.Text})
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// inMarkdown collects the code blocks of a page that are said to be Go.
func inMarkdown(t *testing.T, path string) []snippet {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var found []snippet
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		found = append(found, snippet{where: path, code: m[1]})
	}
	return found
}

// exported builds what snippets can import, and returns the import path of each
// package name and a way to its types.
func exported(t *testing.T) (map[string]string, importer.Lookup) {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Export,Standard", "./...", "../datasets", "gonum.org/v1/gonum/mat")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	paths, files := map[string]string{}, map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Name, Export string
			Standard                 bool
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
		ours := strings.HasPrefix(p.ImportPath, "github.com/mllabs-go/mllabs/") && !strings.Contains(p.ImportPath, "/internal/")
		if ours || slices.Contains([]string{"fmt", "log", "errors", "os", "math", "gonum.org/v1/gonum/mat", "github.com/go-gota/gota/dataframe"}, p.ImportPath) {
			paths[p.Name] = p.ImportPath
		}
	}
	return paths, func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no package %q", path)
		}
		return os.Open(files[path])
	}
}
