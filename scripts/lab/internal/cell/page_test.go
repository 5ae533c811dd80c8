package cell

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

func pageOf(own int, sources ...string) *Page {
	var cells []PageCell
	for _, s := range sources {
		cells = append(cells, PageCell{Source: s, Raises: strings.Contains(s, "// fails")})
	}
	return NewPage(cells, own)
}

// told is what a page says is wrong, counted from 1.
func told(p *Page) []string {
	var list []string
	for _, e := range p.Errors {
		list = append(list, fmt.Sprintf("%d:%d: %s", e.Cell+1, e.Line+1, e.Text))
	}
	return list
}

// The texts are those of go/parser; the lines were counted by hand.
func TestPageReadsCells(t *testing.T) {
	for _, c := range []struct {
		name    string
		sources []string
		bodies  []int
		errors  []string
	}{
		{"declarations and a body", []string{"func F() int { return 1 }", "%%\nF()"}, []int{1}, nil},
		{"the kernel's lines", []string{"%noautoget\n!*ls\n%%\nprintln(1)"}, []int{0}, nil},
		{"a function main", []string{"func main() {\n\tprintln(1)\n}"}, []int{0}, nil},
		{"a broken declaration", []string{"%%\nprintln(1)", "func F( {\n}", "%%\nprintln(2)"}, []int{0, 2}, []string{"2:1: expected ')', found '{'", "2:2: missing ',' in parameter list"}},
		{"a broken body keeps its declarations", []string{"func F() {}\n%%\nfor {", "%%\nF()"}, []int{1}, []string{"1:3: expected '}', found 'EOF'"}},
		{"a body that closes too much", []string{"%%\nx := 1\n}\nfunc f() {"}, []int{}, []string{"1:4: a function stands below the line %%; put it above"}},
		{"a cell that is to fail", []string{"%%\nx := 1 // fails", "%%\nprintln(2)"}, []int{1}, nil},
	} {
		p := pageOf(-1, c.sources...)
		if got := p.Bodies(); !slices.Equal(got, c.bodies) {
			t.Errorf("%s: bodies of %v, want %v", c.name, got, c.bodies)
		}
		if got := told(p); !slices.Equal(got, c.errors) {
			t.Errorf("%s: %q, want %q", c.name, got, c.errors)
		}
		for name, text := range p.Program().Files() {
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Errorf("%s: %v\n%s", c.name, err, text)
			}
		}
	}
}

// Of a name that two cells declare the later counts, for the cells below it; a cell between
// them has a program of its own, in which the earlier one counts.
func TestPageLaterDeclarationWins(t *testing.T) {
	sources := []string{"func F() int { return 1 }", "%%\nprintln(F())", "func F() int { return 2 }", "%%\nprintln(F())"}
	p := pageOf(-1, sources...)
	if own := p.Own(); !slices.Equal(own, []int{0, 1}) {
		t.Errorf("programs of their own: %v", own)
	}
	files := p.Program().Files()
	if strings.Contains(files["cell1.go"], "return 1") || !strings.Contains(files["cell3.go"], "return 2") {
		t.Errorf("the page's program has\n%s\n%s", files["cell1.go"], files["cell3.go"])
	}
	files = pageOf(1, sources...).Program().Files()
	if !strings.Contains(files["cell1.go"], "return 1") || files["cell3.go"] != "" {
		t.Errorf("cell 2's program has\n%s\n%s", files["cell1.go"], files["cell3.go"])
	}
}

// What one cell imports, others may use; of two packages of one name its own counts.
func TestPageImports(t *testing.T) {
	files := pageOf(-1, "import \"math/rand/v2\"\nimport m \"math\"\n\nvar x = m.Pi", "%%\nprintln(rand.IntN(3), m.E, strings.ToUpper(\"a\"))",
		"import \"crypto/rand\"\n%%\nprintln(rand.Text())").Program().Files()
	for name, want := range map[string][]string{
		"cell1.go": {`import m "math"`},
		"cell2.go": {`import "math/rand/v2"`, `import m "math"`, `import "strings"`},
		"cell3.go": {`import "crypto/rand"`},
	} {
		var got []string
		for line := range strings.Lines(files[name]) {
			if strings.HasPrefix(line, "import ") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s imports %q, want %q", name, got, want)
		}
	}
}

// The words are those of Go 1.26's compiler.
func TestPageSaid(t *testing.T) {
	p := pageOf(-1,
		"func F() int { return x }",
		"%%\nprintln(F())",
		"func G() int { return 1 }\n%%\ny := 2",
		"%%\nprintln(G())",
		"import \"net/http\"\n%%\nhttp.Get(\"\")")
	if !p.Said([]byte("/page/cell1:1:23: undefined: x\n/page/cell3:3:1: declared and not used: y\n/page/cell5:1:8: could not import net/http (open : file does not exist)\n")) {
		t.Error("nothing was left out")
	}
	want := []string{"1:1: undefined: x", "3:3: declared and not used: y", "5:1: package net/http is not among those that this page has"}
	if got := told(p); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if p.Errors[0].Column != 23 {
		t.Errorf("column %d", p.Errors[0].Column)
	}
	if got := p.Bodies(); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("bodies of %v", got)
	}
	if !p.Said([]byte("/page/cell2:2:9: undefined: F\n")) {
		t.Error("nothing was left out")
	}
	if got := told(p); !slices.Equal(got, want) {
		t.Errorf("what follows from an error is another: %q", got)
	}
	if l := p.Left()[1]; l.Needs != "F" || l.From != 0 || !l.BodyOnly {
		t.Errorf("cell 2 is left out as %+v", l)
	}
	if got := p.Bodies(); !slices.Equal(got, []int{3}) {
		t.Errorf("bodies of %v", got)
	}
	if p.Said([]byte("compile: internal error\n")) || p.Rest != "compile: internal error" {
		t.Errorf("rest is %q", p.Rest)
	}
}
