package mistakes

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

const root = "../../../.."

// Two right and four wrong answers to both exercises of the small notebook of package
// exercise: a helper of the same name in two of them, a method, an import, a recursion.
const good = `Answers to both exercises.
-- 1/right/helper.go --
func Rate(predicted, y []int) float64 { return float64(wrong(predicted, y)) / float64(len(y)) }

func wrong(a, b []int) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
-- 1/right/recursion.go --
import stdmath "math"

type count struct{ wrong float64 }

func Rate(predicted, y []int) float64 {
	if len(y) == 0 {
		return 0
	}
	c := count{wrong: stdmath.Abs(float64(predicted[0] - y[0]))}
	n := float64(len(y))
	return (min(c.wrong, 1) + Rate(predicted[1:], y[1:])*(n-1)) / n
}
-- 1/wrong/whole-numbers.go --
// Caught by: half
//
// This is what one gets when whole numbers are divided. 1/2
// is 0 then.
func Rate(predicted, y []int) float64 { return float64(wrong(predicted, y) / len(y)) }

func wrong(a, b []int) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
-- 1/wrong/right-ones.go --
// Caught by: half
// This is what one gets when a third of the rows is counted.
func Rate(predicted, y []int) float64 { return 1.0 / 3 }
-- 1/wrong/panics.go --
// Caught by: half
// This is what one gets when the loop goes one step too far.
func Rate(predicted, y []int) float64 { return float64(y[len(y)]) }
-- 1/wrong/not-a-number.go --
// Caught by: half
// This is what one gets when 0 is divided by 0.
func Rate(predicted, y []int) float64 { return math.NaN() }
-- 2/right/loop.go --
func (r Rates) Mean() float64 {
	total := 0.0
	for _, v := range r {
		total += v
	}
	return total / max(1, float64(len(r)))
}
-- 2/right/stat.go --
import "gonum.org/v1/gonum/stat"

func (r Rates) Mean() float64 { return stat.Mean(r, nil) }
-- 2/wrong/sum.go --
// Caught by: two
// This is what one gets when the sum is not divided.
func (r Rates) Mean() float64 { return floats.Sum(r) }
-- 2/wrong/first.go --
// Caught by: two
// This is what one gets when the loop ends early.
func (r Rates) Mean() float64 { return r[0] }
-- 2/wrong/last.go --
// Caught by: two
// This is what one gets when the last value replaces the sum.
func (r Rates) Mean() float64 { return r[len(r)-1] }
-- 2/wrong/n-minus-1.go --
// Caught by: two
// This is what one gets when the divisor is n - 1.
func (r Rates) Mean() float64 { return floats.Sum(r) / float64(len(r)-1) }
`

// rates is the small notebook, its visible cases with hints.
func rates(t *testing.T) *notebook.Notebook {
	t.Helper()
	nb, err := notebook.Read("../exercise/testdata/rates.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	nb.Canonicalise()
	for _, c := range nb.Cells {
		c.Source = strings.Replace(c.Source, "[]int{1, 1}),", "[]int{1, 1}).WithHint(\"count them\"),", 1)
		c.Source = strings.Replace(c.Source, "Rates{0, 0.5}),", "Rates{0, 0.5}).WithHint(\"divide\"),", 1)
	}
	return nb
}

func TestVerify(t *testing.T) {
	chain, err := cell.Prepare(context.Background(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(text string) string
		nb    func(c *notebook.Cell)
		want  string // a part of the one problem, "" for none
	}{
		{"all is well", same, nil, ""},
		{"a right one that is wrong", change("r {\n\t\ttotal +=", "r {\n\t\ttotal -="), nil, `2/right/loop.go is right and fails "two" (expected 0.25, got -0.25), "three" (`},
		{"right but for a hidden case", change("return stat.Mean(r, nil)", "return 0.25"), nil, `2/right/stat.go is right and fails "three" (expected 0.5, got 0.25)`},
		{"a wrong one that passes", change("return floats.Sum(r) }", "return r[1] / 2 }"), nil, "2/wrong/sum.go passes every visible case: its student sees only ticks"},
		{"a wrong one that only a hidden case sees", change("return floats.Sum(r) }", "return 0.25 }"), nil, "2/wrong/sum.go passes every visible case"},
		{"a case that is not there", change("Caught by: two\n// This is what one gets when the sum", "Caught by: three\n// This is what one gets when the sum"), nil,
			`2/wrong/sum.go says that "three" catches it, which is no visible case of exercise 2; they are "two"`},
		{"another case", change("Caught by: two\n// This is what one gets when the loop", "Caught by: one\n// This is what one gets when the loop"), func(c *notebook.Cell) {
			c.Source = strings.Replace(c.Source, "nbkit.Call(\"two\"", "nbkit.Call(\"one\", 0.5, meanOf, Rates{0.5}).WithHint(\"h\"),\n\tnbkit.Call(\"two\"", 1)
		}, `2/wrong/first.go passes "one", which should catch it; what it fails is "two" (`},
		{"no hint", same, func(c *notebook.Cell) { c.Source = strings.Replace(c.Source, `.WithHint("divide")`, "", 1) }, `is caught by "two", which has no hint`},
		{"does not compile", change("total / max(1, ", "totals / max(1, "), nil, "2/right/loop.go does not compile: line 6: undefined: totals"},
		{"ends the program", change("return floats.Sum(r) }", "os.Exit(0); return 0 }"), nil, "2/wrong/sum.go ends the check before its end"},
		{"another exercise", change("2/wrong/sum.go", "3/wrong/sum.go"), nil, "has 2 right and 3 wrong answers to exercise 2; at least 2 and 4"},
		{"no function of the exercise", change("func (r Rates) Mean() float64 { return r[0] }", "func mean() {}"), nil, "2/wrong/first.go declares none of the functions of exercise 2: Rates.Mean"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			nb := rates(t)
			if c.nb != nil {
				for _, cell := range nb.Cells {
					c.nb(cell)
				}
			}
			exercises, problems := exercise.Find(nb)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			catalogue, err := parse("01_rates.txtar", []byte(c.spoil(good)))
			if err != nil {
				t.Fatal(err)
			}
			copied := exercise.Copy("lab/01_rates", nb, exercise.Links{HasCopy: func(string) bool { return false }})
			problems, err = Verify(context.Background(), chain, nb, copied, exercises, catalogue)
			switch {
			case err != nil:
				t.Fatal(err)
			case c.want == "" && len(problems) > 0:
				t.Error(problems)
			case c.want != "" && (len(problems) == 0 || !strings.Contains(problems[0].Text, c.want)):
				t.Errorf("%v\nwant %s", problems, c.want)
			}
		})
	}
}

func same(s string) string { return s }

func change(old, new string) func(string) string {
	return func(s string) string {
		if !strings.Contains(s, old) {
			return "" // an empty catalogue fails the test
		}
		return strings.Replace(s, old, new, 1)
	}
}

func TestCatalogue(t *testing.T) {
	c, err := parse("01_rates.txtar", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	first := c.Of(1)
	if len(first) != 6 || len(c.Of(2)) != 6 || c.Of(3) != nil {
		t.Fatalf("%d, %d and %d bodies", len(first), len(c.Of(2)), len(c.Of(3)))
	}
	if b := first[2]; b.Name != "whole-numbers" || b.Right || b.Exercise != 1 || b.CaughtBy != "half" ||
		b.Says != "This is what one gets when whole numbers are divided. 1/2 is 0 then." ||
		!strings.HasPrefix(b.Source, "\n\n\n\nfunc Rate(") {
		t.Errorf("%+v", b)
	}
	if b := first[0]; !b.Right || b.CaughtBy != "" || b.Says != "" || !strings.HasPrefix(b.Source, "func Rate(") {
		t.Errorf("%+v", b)
	}
	for _, c := range []struct{ text, want string }{
		{"-- 1/rigth/a.go --\n", `x.txtar: a part is called "1/rigth/a.go"; call it like`},
		{"-- 1/right/A.go --\n", "call it like"},
		{"-- 0/right/a.go --\n", "call it like"},
		{"-- 1/right/a.go --\nfunc f() {}\n-- 1/right/a.go --\nfunc f() {}\n", "x.txtar: there are two parts 1/right/a.go"},
		{"-- 1/right/a.go --\nfunc f() {}\n\nfunc g( {\n", "x.txtar: 1/right/a.go, line 3: "},
		{"-- 1/wrong/a.go --\nfunc f() {}\n", "x.txtar: 1/wrong/a.go, line 1: a wrong answer begins with // Caught by: "},
		{"-- 1/wrong/a.go --\n// Caught by: x\nfunc f() {}\n", "line 2: after the case comes what grading says"},
		{"-- 1/wrong/a.go --\n// Caught by: x\n// This is what one gets when\nfunc f() {}\n", "line 2: "},
		{"", "x.txtar: holds no answer"},
	} {
		if _, err := parse("x.txtar", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "x.txtar")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if got := filepath.ToSlash(Path("notebooks/lab3/01_x.ipynb")); got != "notebooks/lab3/mistakes/01_x.txtar" {
		t.Error(got)
	}
}

// Every catalogue of the checkout can be read, and belongs to a notebook. That its answers
// are what they are said to be, lab exercises finds out.
func TestCataloguesOfTheCheckout(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(root, "notebooks", "*", "mistakes", "*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		if _, err := Read(path); err != nil {
			t.Error(err)
		}
		notebooks, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(path)), "*.ipynb"))
		if !slices.ContainsFunc(notebooks, func(nb string) bool { return Path(nb) == path }) {
			t.Errorf("%s belongs to no notebook", path)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("-- 1/wrong/a.go --\n// Caught by: x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parse("x.txtar", data)
		if err != nil {
			return
		}
		for _, b := range c.bodies {
			if again := txtar.Parse(data); len(again.Files) < len(c.bodies) || !b.Right && b.CaughtBy == "" {
				t.Errorf("%+v", b)
			}
		}
	})
}
