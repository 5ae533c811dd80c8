//go:build !js

package cell

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// beside are the course's cells that a student's is put beside: a type, and a check.
func beside(t testing.TB) []*Unit {
	t.Helper()
	nb := cells("import (\n\t\"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\tf \"fmt\"\n)\n\ntype Point struct{ X, Y int }\n\nfunc given(p Point) string { return f.Sprint(p) }",
		"%%\nnbkit.Check(\"Twice\", nbkit.Call(\"two\", min(4, 5), Twice, 2))")
	nb.Cells[1].Metadata = map[string]any{"nbgrader": map[string]any{"points": json.Number("2")}}
	units, err := ReadAll(nb)
	if err != nil {
		t.Fatal(err)
	}
	return []*Unit{units[0], units[1]}
}

func allowedHere(path string) bool { return path == "fmt" || path == "math" }

func refusedHere(u *Unit, path string, names []string) string {
	switch {
	case !allowedHere(path):
		return "package " + path
	case path == "math" && slices.Contains(names, "Pi"):
		return "math.Pi"
	}
	return ""
}

// assembled puts a student's cell beside the course's.
func assembled(t testing.TB, source string) (*Program, error) {
	t.Helper()
	u, err := ReadStudent(2, source, []string{"Twice"})
	if err != nil {
		return nil, err
	}
	return Assemble(append(beside(t), u), Rules{Refused: refusedHere})
}

// What a student's cell becomes, or what is wrong with it.
func TestStudent(t *testing.T) {
	for _, c := range []struct{ name, source, want, wrong string }{
		{"a function", "func Twice(x int) int { return 2 * x }", "func Twice(x int) int { return 2 * x }", ""},
		{"comments go", "//go:noinline\nfunc Twice() {} // two\n/* a\nb */", "\nfunc Twice() {}", ""},
		{"what the course declares", "type Point int\nvar given, own = 1, 2\nfunc Twice() {}\nfunc main() { f( }", "", "cell 3, line 4"},
		{"gives way", "type Point int\nvar given, own = 1, 2\nfunc main() {}\nfunc Twice() {}", "type _     int\nvar _    , own = 1, 2\n\nfunc Twice() {}", ""},
		{"the kernel's init", "func init_x() {}", "func init  () {}", ""},
		{"a package", "func Twice() { math.Sqrt(2) }", "import \"math\"", ""},
		{"another's name of a package", "func Twice() { f.Println() }", "import f \"fmt\"", ""},
		{"its own name of a package", "import f \"math\"\nfunc Twice() { f.Sqrt(2) }", "import f \"math\"", ""},
		{"a name of a package", "func Twice(x float64) float64 {\n\treturn x *\n\t\tmath.Pi\n}", "", "cell 3, line 3: math.Pi is not allowed"},
		{"not allowed", "func Twice() {\n\tos.Exit(0)\n}", "", "cell 3, line 2: package os is not allowed"},
		{"a variable of that name", "func Twice() { var os struct{ Exit int }; _ = os.Exit }", "os.Exit", ""},
		{"a predeclared name that the check needs", "func min() {}", "", "line 1: min is a word of Go"},
		{"one that it does not need", "func max() {}", "func max() {}", ""},
		{"the name of a package", "var nbkit = 1", "", "nbkit is what the notebook calls a package"},
		{"a reserved name", "func Twice() { lab__cell1() }", "", "names that begin with lab__"},
	} {
		p, err := assembled(t, c.source)
		var wrong *Errors
		switch {
		case c.wrong != "":
			if !errors.As(err, &wrong) || len(wrong.Cells) == 0 || wrong.Cells[0].Cell != 2 || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v, want %q", c.name, err, c.wrong)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		default:
			i := slices.IndexFunc(p.files, func(f file) bool { return f.name == "student2.go" })
			if text := squeezed(string(p.files[i].text)); !strings.Contains(text, squeezed(c.want)) || strings.Contains(text, "//go:") {
				t.Errorf("%s: %s", c.name, p.files[i].text)
			}
		}
	}
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

// A report counts only with the word of its run, and as far as it is one.
func TestReported(t *testing.T) {
	const begun, first, second, ended = `{"word":"w","begun":true}` + "\n", `{"word":"w","tried":{"check":0}}` + "\n", `{"word":"w","tried":{"check":0,"answer":{"failed":"x"}}}` + "\n", `{"word":"w","ended":true}` + "\n"
	values := func(n int) string {
		return `{"word":"w","tried":{"answer":{"value":{"i":[{}` + strings.Repeat(",{}", n) + "]}}}}\n"
	}
	for _, c := range []struct {
		name, report string
		ended        bool
		answers      string // how many of each check
	}{
		{"as it should be", begun + first + second + ended, true, "2"},
		{"two checks", begun + first + strings.ReplaceAll(second, ":0", ":1") + ended, true, "1 1"},
		{"no check", begun + ended, true, ""},
		{"nothing", "", false, ""},
		{"not begun", first + ended, false, ""},
		{"not ended", begun + first + second, false, "2"},
		{"ended in the second case", begun + first + second[:20], false, "1"},
		{"a check that is left out", begun + strings.ReplaceAll(first, ":0", ":1") + ended, false, ""},
		{"a check that was over", begun + first + strings.ReplaceAll(second, ":0", ":1") + first + ended, false, ""},
		{"a check of no number", begun + strings.ReplaceAll(first, ":0", ":-1") + ended, false, ""},
		{"without the word", begun + first + strings.Replace(ended, `"w"`, `""`, 1), false, ""},
		{"with a guessed word", strings.ReplaceAll(begun+first+ended, `"w"`, `"v"`), false, ""},
		{"another before it", strings.ReplaceAll(begun+ended, `"w"`, `"v"`) + begun + first + ended, false, ""},
		{"another behind it", begun + first + ended + first, false, ""},
		{"twice", begun + first + ended + begun + first + ended, false, ""},
		{"no JSON", begun + first + "x\n" + ended, false, ""},
		{"many values", begun + values(mostValues-50) + ended, true, "1"},
		{"more than an answer has", begun + values(mostValues+1) + ended, false, ""},
		{"in one line", begun + strings.TrimSpace(first) + ended, false, ""},
	} {
		o := reported([]byte(c.report), "w")
		var answers []string
		for _, of := range o.Checks {
			answers = append(answers, fmt.Sprint(len(of.Answers)))
		}
		if o.Ended != c.ended || strings.Join(answers, " ") != c.answers {
			t.Errorf("%s: ended %v, answers %v; want %v, %v", c.name, o.Ended, answers, c.ended, c.answers)
		}
	}
}

// A program of some cells has those that they need, and what these need.
func TestReach(t *testing.T) {
	nb := cells("func a() { b() }", "var b = func() { c.D() }", "type T int", "var c T", "func (T) D() { e() }", "func e() {}", "func f() { a() }")
	units, err := ReadAll(nb)
	if err != nil {
		t.Fatal(err)
	}
	var all []*Unit
	for i := range nb.Cells {
		all = append(all, units[i])
	}
	for root, want := range map[int][]int{0: {0, 1, 2, 3, 4, 5}, 3: {2, 3, 4, 5}, 5: {5}} {
		var got []int
		for _, u := range Reach([]*Unit{units[root]}, all) {
			got = append(got, u.Cell)
		}
		if !slices.Equal(got, want) {
			t.Errorf("from %d: %v, want %v", root, got, want)
		}
	}
}

// Whatever a student writes, the composer does not panic, what it makes of it parses, and
// the student's part imports what is allowed, carries no directive and declares no name of
// the course.
func FuzzAssemble(f *testing.F) {
	for _, s := range []string{"func Twice(x int) int { return 2 * x }", "import . \"math\"\nvar x = Pi", "type Point int\nconst (\n\ta = iota\n\tgiven\n)", "func (p Point) X() {}",
		"//line x:1\n/*line y:2:3*/func init_() {}", "%%\nx", "var a, b, _ = 1, 2, 3 // c", "func main() {}\r\n/* \r\n */", "type T[P any] struct{}\nfunc (t *T[P]) M() { os.Exit(0) }",
		"import (\n\t\"os\"; x \"fmt\" // c\n)\nvar _ = x.Sprint", "func main() { /* } */ }", "`\x00", "\ufeffvar x = 1"} {
		f.Add(s)
	}
	units := beside(f)
	f.Fuzz(func(t *testing.T, source string) {
		Normal(source)
		u, err := ReadStudent(2, source, []string{"Twice"})
		if err != nil {
			return
		}
		p, err := Assemble(append(slices.Clone(units), u), Rules{Imports: []string{`"math"`}, Refused: refusedHere})
		if err != nil {
			return
		}
		for _, made := range p.files {
			file, err := parser.ParseFile(token.NewFileSet(), made.name, made.text, parser.ParseComments)
			if err != nil {
				t.Fatalf("%s does not parse: %v\n%s", made.name, err, made.text)
			}
			if made.name != "student2.go" {
				continue
			}
			for _, spec := range file.Imports {
				if path := strings.Trim(spec.Path.Value, "\"`"); !allowedHere(path) {
					t.Errorf("imports %s", path)
				}
			}
			if n := len(file.Comments); n > 1 || n == 1 && len(file.Comments[0].List) > 1 {
				t.Errorf("has comments:\n%s", made.text)
			}
			for name := range file.Scope.Objects {
				if slices.Contains([]string{"Point", "given", "main"}, name) || strings.HasPrefix(name, Reserved) {
					t.Errorf("declares %s", name)
				}
			}
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && slices.Contains([]string{"Point.Is", "Point.Error"}, FuncName(fn)) {
					t.Errorf("declares %s", FuncName(fn))
				}
			}
		}
	})
}
