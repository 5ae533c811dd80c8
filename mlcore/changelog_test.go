package mlcore_test

import (
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

var (
	leftCells = regexp.MustCompile(`(?m)^\|[^|]*\|`)
	codeSpans = regexp.MustCompile("`([^`]+)`")
	codeNames = regexp.MustCompile(`(?:\b([a-z]\w*)\.)?\b([A-Z]\w+)`)
)

// What the CHANGELOG says of the current version names what there is: fields, methods and
// the names of packages. The left column of its table names what there was. Names of one
// letter, such as X, are the reader's.
func TestChangelogNamesWhatThereIs(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n## ")
	title, section, _ := strings.Cut(sections[1], "\n")
	if title != mlcore.Version {
		t.Fatalf("the CHANGELOG begins with %q, and Version is %q", title, mlcore.Version)
	}
	section = leftCells.ReplaceAllString(section, "|")
	paths, lookup := exported(t)
	imports := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	inPackage, anywhere := map[string]map[string]bool{}, map[string]bool{}
	for name, path := range paths {
		p, err := imports.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		inPackage[name] = map[string]bool{}
		for _, top := range p.Scope().Names() {
			inPackage[name][top], anywhere[top] = true, true
			members(p.Scope().Lookup(top).Type(), anywhere)
		}
	}
	checked := 0
	for _, span := range codeSpans.FindAllStringSubmatch(section, -1) {
		for _, m := range codeNames.FindAllStringSubmatch(span[1], -1) {
			checked++
			if names, isPackage := inPackage[m[1]]; isPackage && !names[m[2]] || !anywhere[m[2]] {
				t.Errorf("there is no %s (`%s`)", m[0], span[1])
			}
		}
	}
	if checked < 150 {
		t.Errorf("only %d names were found", checked)
	}
}

// members adds the names of the fields and methods of a type.
func members(of types.Type, names map[string]bool) {
	for method := range types.NewMethodSet(types.NewPointer(of)).Methods() {
		names[method.Obj().Name()] = true
	}
	if s, ok := of.Underlying().(*types.Struct); ok {
		for field := range s.Fields() {
			names[field.Name()] = true
		}
	}
}
