package cellcode

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

const root = "../../../.." // the checkout that programs are compiled in

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, source, top, main string
		line                    int
	}{
		{"declarations", "func f() {}\n\nvar x = 1", "func f() {}\n\nvar x = 1", "", 0},
		{"both", "var x = 1\n\n%%\nf()\ng()", "var x = 1\n", "f()\ng()", 3},
		{"statements", "%%\nf()", "", "f()", 1},
		{"with flags", "%% --k=5\nf()", "", "f()", 1},
		{"main", "%main\nf()", "", "f()", 1},
		{"the kernel's lines", "%noautoget\n!ls\nvar x = 1\n%%\n!ls\nf()", "\n\nvar x = 1", "\nf()", 4},
	} {
		got := Split(c.source)
		if got.Top != c.top || got.Main != c.main || got.MainLine != c.line || got.HasMain != (c.line > 0) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestDeclares(t *testing.T) {
	names, err := Split(`import "fmt"

// A T is generic.
type T[K any] struct{}

func (t *T[K]) Method() {}

func (T[K]) other() {}

func f() {}

func init() {}

var (
	a, b = 1, 2
	_    = 3
)

const c = 1
%%
d := 1`).Declares()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range names {
		got = append(got, fmt.Sprintf("%s:%d", n.Name, n.Line+1))
	}
	if want := []string{"T:4", "T.Method:6", "T.other:8", "f:10", "a:15", "b:15", "c:19"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// The imports that cells use are those that goimports would leave or add.
func TestNeededImports(t *testing.T) {
	for _, c := range []struct{ specs, code, want string }{
		{`"a.b/mlcore"`, "func f() { mlcore.New() }", `"a.b/mlcore"`},
		{`"a.b/mlcore"`, "func f() {}", ""},
		{`"a.b/mlcore"`, "func f(mlcore T) { mlcore.New() }", ""},
		{`"a.b/x/v2"`, "func f() { x.New() }", `"a.b/x/v2"`},
		{`y "a.b/x"`, "func f() { y.New() }", `y "a.b/x"`},
		{`_ "a.b/x"`, "func f() {}", `_ "a.b/x"`},
		{"", "func f() { fmt.Println(math.Pi, json.Marshal) }", `"fmt" "encoding/json" "math"`},
		{"", "func f() { var fmt T; fmt.Println() }", ""},
		{"", "func f() { rand.New(rand.NewPCG(1, 2)) }", `"math/rand/v2"`},
		{"", "func f() { rand.New(rand.NewSource(1)) }", `"math/rand"`},
		{`"a.b/rand"`, "func f() { rand.New() }", `"a.b/rand"`},
		{"", "func f() { nosuch.New() }", ""},
	} {
		var specs []string
		if c.specs != "" {
			specs = []string{c.specs}
		}
		got, err := neededImports(specs, c.code)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s with %s: %v, %v", c.code, c.specs, got, err)
		}
	}
}

func cells(sources ...string) *notebook.Notebook {
	nb := &notebook.Notebook{}
	for _, s := range sources {
		nb.Cells = append(nb.Cells, &notebook.Cell{Type: "code", Source: s})
	}
	return nb
}

func build(t *testing.T, nb *notebook.Notebook) (*Binary, error) {
	t.Helper()
	p, err := Compose(nb)
	if err != nil {
		return nil, err
	}
	return p.Build(context.Background(), root, t.TempDir())
}

// Errors name the cell and its line, wherever the compiler or the parser finds them.
func TestErrorsNameCells(t *testing.T) {
	for _, c := range []struct {
		name string
		nb   *notebook.Notebook
		want string
	}{
		{"in a declaration", cells("var x = 1", "\n\nfunc f() int { return y }"), "cell 2, line 3: undefined: y"},
		{"in a body", cells("var x = 1", "var z = 1\n%%\n\nx = y"), "cell 2, line 4: undefined: y"},
		{"unused", cells("%%\nx := 1"), "cell 1, line 2: declared and not used: x"},
		{"no Go", cells("var x = 1", "func f( {}"), "cell 2 (id ) is not Go: line 1: expected ')'"},
		{"a body that is not Go", cells("%%\nfor {"), "cell 1, line"},
		{"twice", cells("var x = 1", "var x = 2"), "x redeclared in this block"},
	} {
		if _, err := build(t, c.nb); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A program runs the body of one cell; the check of a graded cell reports its score.
func TestRun(t *testing.T) {
	nb := cells(`import "github.com/mllabs-go/mllabs/notebooks/nbkit"

func Twice(x int) int { return 2 * x }

func Stub() int { panic(nbkit.NotImplemented("Stub")) }`,
		`%%
fmt.Println("twice", Twice(2))`,
		`%%
fmt.Println("before")
nbkit.Check("Numbers", nbkit.Call("good", 4, Twice, 2), nbkit.Call("bad", 5, Twice, 2), nbkit.Call("stub", 5, Stub))`,
		"%%\nStub()",
		"%%\npanic(\"oh\")",
		"%%\nx := \"one\" + 1")
	nb.Cells[5].Metadata = map[string]any{"tags": []any{notebook.TagRaises}}
	nb.Cells[2].Metadata = map[string]any{"nbgrader": map[string]any{"points": json.Number("2")}}
	b, err := build(t, nb)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cell    int
		scores  string
		printed string
		fails   bool
	}{
		{1, "[]", "twice 4", false},
		{2, "[{Numbers 1 3 1 [bad: expected 5, got 4", "before", false},
		{3, "[]", "Stub is not implemented yet. Do its exercise", false},
		{4, "[]", "panic: oh", true},
		{-1, "[]", "", false},
	} {
		scores, printed, err := b.Run(context.Background(), c.cell)
		if (err != nil) != c.fails || !strings.HasPrefix(fmt.Sprint(scores), c.scores) || !strings.HasPrefix(printed, c.printed) {
			t.Errorf("cell %d: %v, %q, %v", c.cell+1, scores, printed, err)
		}
	}
}

func TestDropUnused(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"nothing", "%%\nx := 1\nf(x)", "%%\nx := 1\nf(x)"},
		{"one", "var y = 1\n\n%%\nx := 1\nz := 2\nf(z)", "var y = 1\n\n%%\nz := 2\nf(z)"},
		{"one behind another", "%%\nx := []int{\n\t1,\n}\nz := g(x)\nf()", "%%\nf()"},
		{"with its comment", "%%\n// About f.\n\n// About x.\nx := 1\nf()", "%%\n// About f.\n\nf()"},
		{"one of two", "%%\nx, y := 1, 2\nf(x)", "%%\nx := 1\nf(x)"},
		{"one of three", "%%\nx, y, z := g(1, 2), []int{3}, 4\nf(x, z)", "%%\nx, z := g(1, 2), 4\nf(x, z)"},
		{"one result of two", "%%\nx, y := g()\nf(x)", "%%\nx, y := g()\nf(x)"}, // the compiler names it
		{"both, and a blank", "%%\nx, _, y := g()\nf()", "%%\nf()"},
		{"a declaration", "%%\nvar x, y int\nf()", "%%\nf()"},
		{"changed, too", "%%\nx := g()\nx[1] = 2\nf()", "%%\nx := g()\nx[1] = 2\nf()"},
		{"no Go", "%%\nx := := 1", "%%\nx := := 1"},
		{"no body", "var x = 1", "var x = 1"},
	} {
		if got := DropUnused(c.source); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
