package mlcore_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mayStartGoroutines are the files of the library that may, and why a panic there does not
// end the caller's program unheard.
var mayStartGoroutines = map[string]string{
	"mlcore/internal/par/par.go":   "Do makes an error of a panic",
	"mlcore/internal/par/team.go":  "a Team hands a panic to the goroutine that asked",
	"mlcore/mlcoretest/battery.go": "in a test, which a panic is to end",
	"datasets/download/fetcher.go": "the watchdog calls the cancel function of a context alone",
}

// A panic on a goroutine ends the program, whatever its caller recovers from. So
// goroutines are started in a few places, which make errors of panics.
func TestGoroutinesAreStartedInFewPlaces(t *testing.T) {
	started := map[string]bool{}
	for _, root := range []string{"../mlcore", "../datasets"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			name := strings.TrimPrefix(filepath.ToSlash(path), "../")
			ast.Inspect(file, func(n ast.Node) bool {
				if !startsGoroutine(n) {
					return true
				}
				started[name] = true
				if mayStartGoroutines[name] == "" {
					t.Errorf("%s starts a goroutine: in mlcore par.Do does it, in datasets later", fset.Position(n.Pos()))
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range mayStartGoroutines {
		if !started[name] {
			t.Errorf("%s starts no goroutine and need not be listed", name)
		}
	}
}

// startsGoroutine reports whether n is a go statement, a call of a method Go, as
// sync.WaitGroup and errgroup.Group have, or of time.AfterFunc or context.AfterFunc.
func startsGoroutine(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		return ok && slices.Contains([]string{"Go", "TryGo", "AfterFunc"}, f.Sel.Name)
	}
	return false
}
