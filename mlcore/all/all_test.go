package all

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	registers    = regexp.MustCompile(`\b(?:modelfile|archive)\.Register[A-Za-z]*[\[(]`)
	otherModules = regexp.MustCompile(`\bmodelfile\.Register[\[(]`)
)

// Every package that registers a kind of model is imported here, and no other.
func TestEveryPackageThatRegisters(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "all.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]bool{}
	for _, spec := range file.Imports {
		imported[strings.TrimPrefix(strings.Trim(spec.Path.Value, `"`), "github.com/mllabs-go/mllabs/mlcore/")] = true
	}
	library, found := os.DirFS(".."), map[string]bool{}
	err = fs.WalkDir(library, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		dir := path.Dir(name)
		if strings.HasPrefix(dir, "internal") || dir == "modelfile" || dir == "mlcoretest" {
			return nil
		}
		text, err := fs.ReadFile(library, name)
		if err == nil && registers.Match(text) {
			found[dir] = true
		}
		if otherModules.Match(text) {
			t.Errorf("%s calls modelfile.Register, which is for other modules: call archive.Register, so that the tests of model files and of ONNX know the kind", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range found {
		if !imported[dir] {
			t.Errorf("package %s registers a kind of model; import it in all.go", dir)
		}
	}
	for dir := range imported {
		if !found[dir] {
			t.Errorf("all.go imports %s, which registers nothing", dir)
		}
	}
	if len(found) < 10 {
		t.Errorf("only %d packages register kinds; does the search still find them?", len(found))
	}
}
