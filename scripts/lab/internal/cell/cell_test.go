//go:build !js

package cell

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
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
		// The kernel's goimports finds gonum, too, in what the notebooks' module requires.
		{"", "func f() { stat.Mean(floats.Span(nil, 0, 1), nil); mat.Sum(nil) }",
			`"gonum.org/v1/gonum/floats" "gonum.org/v1/gonum/mat" "gonum.org/v1/gonum/stat"`},
		{`"a.b/stat"`, "func f() { stat.Mean() }", `"a.b/stat"`},
	} {
		var specs []string
		if c.specs != "" {
			specs = []string{c.specs}
		}
		got, err := neededImports(specs, c.code, nil)
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

var runner = sandbox.Unsafe()

func build(t *testing.T, nb *notebook.Notebook) (*Binary, error) {
	t.Helper()
	p, err := Compose(nb)
	if err != nil {
		return nil, err
	}
	chain, err := Prepare(context.Background(), root, p.Imports())
	if err != nil {
		t.Fatal(err)
	}
	return chain.Build(context.Background(), runner, p, t.TempDir())
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
		{"no Go", cells("var x = 1", "func f( {}"), "cell 2, line 1: expected ')'"},
		{"a body that is not Go", cells("%%\nfor {"), "cell 1, line"},
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
		needs   string
		ended   bool
	}{
		{1, "", "twice 4", "", true},
		{2, "Numbers 1 3 [bad: expected 5, got 4 stub: not implemented yet] 1", "before", "", true},
		{3, "", "Stub: not implemented yet", "Stub: not implemented yet", true},
		{4, "", "panic: oh", "", false},
		{-1, "", "", "", true},
	} {
		o, err := b.Run(context.Background(), runner, c.cell, CheckTime(3))
		if err != nil {
			t.Fatal(err)
		}
		scores := ""
		for _, s := range o.Scores() {
			scores += fmt.Sprint(s.Title, " ", s.Passed, " ", s.Of, " ", s.Failed(), " ", s.Unwritten())
		}
		if !o.Begun || o.Ended != c.ended || o.Needs != c.needs || scores != c.scores || !strings.HasPrefix(o.Printed, c.printed) || (o.Result.Ended == sandbox.Exited && o.Result.Code == 0) != c.ended {
			t.Errorf("cell %d: %+v", c.cell+1, o)
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
