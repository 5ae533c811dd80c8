package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type tree struct {
	Leaf bool
	Kids []tree
}

// liar has the methods by which errors and matrices are compared elsewhere.
type liar struct{ X int }

func (liar) Error() string       { return io.EOF.Error() }
func (liar) Is(error) bool       { return true }
func (liar) Dims() (r, c int)    { return 0, 0 }
func (liar) At(int, int) float64 { return 0 }
func (liar) T() mat.Matrix       { return nil }

// excuse says the same of every value.
type excuse struct{ X int }

func (excuse) Error() string { return "o" }

// verdict and level say themselves how they are printed.
type verdict bool
type level int

func (v verdict) String() string { return map[bool]string{true: "right", false: "wrong"}[bool(v)] }
func (level) String() string     { panic("no words") }

// Equal or not. Oracle: the pairs are written so.
func TestDiffer(t *testing.T) {
	type list struct{ next *list }
	ring := &list{}
	ring.next = ring
	type point struct{ X, Y float64 }
	type swapped struct{ Y, X float64 }
	type further struct{ X, Y, Z float64 }
	as := func(v, of any) Value { // as a type of the same name in another program
		d := Of(v)
		d.More.ID, d.Type = Of(of).More.ID, Of(of).Type
		return d
	}
	silent := func(v Value) Value { // the same where the key's type has no methods
		v.More.Names, v.More.Keys[0].Text = []string{"true"}, ""
		return v
	}
	for _, c := range []struct {
		name      string
		got, want Value
		says      string // "" where they are equal
	}{
		{"a tree", Of(tree{Kids: []tree{{Leaf: true}}}), Of(tree{Kids: []tree{{Leaf: true}}}), ""},
		{"another tree", Of(tree{Kids: []tree{{Leaf: true}}}), Of(tree{Kids: []tree{{}}}), "at .Kids[0].Leaf: expected false, got true"},
		{"methods change nothing", Of(liar{1}), Of(liar{1}), ""},
		{"nor hide a difference", Of(excuse{1}), Of(excuse{2}), "at .X: expected 2, got 1"},
		{"a liar is no sentinel", Of(liar{1}), Of(io.EOF), "expected error"},
		{"nor any number", Of(liar{1}), Of(1), "expected an int, got"},
		{"a wrapped error", Of(fmt.Errorf("a: %w", errors.Join(errors.ErrUnsupported, io.EOF))), Of(io.EOF), ""},
		{"an error of another type", Of(&mat.ErrorStack{Err: io.EOF}), Of(io.EOF), "expected error"},
		{"fields in another order", as(swapped{Y: 2, X: 1}, point{}), Of(point{X: 1, Y: 2}), ""},
		{"another field that is empty", as(further{X: 1, Y: 2}, point{}), Of(point{X: 1, Y: 2}), ""},
		{"another field that is not", as(further{X: 1, Y: 2, Z: 3}, point{}), Of(point{X: 1, Y: 2}), "at .Z: expected no such field"},
		{"a field less", as(struct{ X float64 }{1}, point{}), Of(point{X: 1, Y: 2}), "at .Y: missing"},
		{"another type", Of(swapped{}), Of(point{}), "expected a judge.point, got a judge.swapped"},
		{"what holds itself", Of(ring), Of(ring), "too large, or too deeply nested"},
		{"as much as is taken", Of(make([]int, most-2)), Of(make([]int, most-2)), ""},
		{"too much", Of(make([]int, most+2)), Of(make([]int, most+2)), "too large"},
		{"too many elements of a matrix", Of(mat.NewDense(1<<10, 1<<10, nil)), Of(mat.NewDense(1<<10, 1<<10, nil)), "too large"},
		{"keys that print alike", Of(map[any]int{1: 1, "1": 2}), Of(map[any]int{"1": 2, 1: 1}), ""},
		{"their values", Of(map[any]int{1: 1, "1": 2}), Of(map[any]int{1: 2, "1": 1}), "at [1]"},
		{"complex numbers", Of(2i), Of(3i), "expected (0+3i), got (0+2i)"},
		{"a truth value that prints itself", Of([]verdict{true, false}), Of([]bool{true, false}), ""},
		{"another", Of([]verdict{true, true}), Of([]bool{true, false}), "at [1]: expected false, got right"},
		{"keys that print themselves", silent(Of(map[verdict]level{true: 2})), Of(map[verdict]int{true: 2}), ""},
		{"a key of NaN", Of(map[float64]int{math.NaN(): 1}), Of(map[float64]int{math.NaN(): 2}), "at [NaN]: expected 2, got 1"},
		{"functions", Of(func() {}), Of(func() {}), "values of type func() cannot be compared"},
		{"negative zero", Of(math.Copysign(0, -1)), Of(0.0), ""},
	} {
		err := Differ(through(t, c.got), through(t, c.want), 1e-9)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// through is a value that has gone through JSON.
func through(t *testing.T, v Value) Value {
	t.Helper()
	text, err := json.Marshal(Answer{Value: v})
	if err != nil {
		t.Fatal(err)
	}
	var a Answer
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a.Value
}

// What is taken of a value is bounded in bytes, too: a type, a field and a text may be long, and
// values of it many. Oracle: a number takes some 40 bytes.
func TestSizeIsBounded(t *testing.T) {
	long := reflect.StructOf([]reflect.StructField{{Name: "A" + strings.Repeat("b", 10_000), Type: reflect.TypeFor[int]()}})
	errs := make([]error, most-2)
	for i := range errs {
		errs[i] = errors.New(strings.Repeat("long ", 200))
	}
	for name, v := range map[string]any{
		"types":  reflect.MakeSlice(reflect.SliceOf(long), most/2, most/2).Interface(),
		"errors": errs,
		"words":  make([]wordy, most-2),
		"keys":   map[string]int{strings.Repeat("k", 64<<20): 1},
	} {
		text, err := json.Marshal(Of(v))
		if err != nil || len(text) > 40*most {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

// wordy prints itself at length.
type wordy int

func (wordy) String() string { return strings.Repeat("long ", 200) }

// Whatever a program writes as its answer is refused or compared: nothing of it ends the judge.
func FuzzAnswer(f *testing.F) {
	want := Of(map[string]any{"a": []float64{1, 2}, "b": tree{}, "m": mat.NewDense(1, 2, nil), "e": io.EOF})
	for _, v := range []any{1, "a", []int{1}, map[string]int{"a": 1}, tree{}, mat.NewDense(1, 2, nil), io.EOF, 2i, liar{}} {
		text, err := json.Marshal(Answer{Value: Of(v)})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	long := strings.Repeat("long", 2000)
	for _, text := range []string{
		`{"value":{"k":10,"i":[{}]}}`, `{"value":{"k":9,"m":{"n":["a"]},"i":[{}]}}`, `{"value":{"k":10,"m":{"n":["a","b"]},"i":[{}]}}`,
		`{"value":{"k":10,"m":{"x":{"Rows":4294967296,"Cols":4294967296}}}}`, `{"value":{"k":10,"m":{"x":{"Rows":2,"Cols":-1}}}}`, `{"value":{"k":99}}`,
		`{"value":{"k":3,"t":"` + long + `"}}`, `{"value":{"k":10,"m":{"n":["` + long + `"]},"i":[{"k":3,"b":1}]}}`, `{"failed":"` + long + `"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var a Answer
		if json.Unmarshal(text, &a) != nil {
			return
		}
		for _, w := range append([]Value{want, a.Value, {Kind: Struct, Type: a.Value.Type}}, want.Items...) {
			if c := Compare("", []Case{{Want: w, Tol: 1e-9}}, []Answer{a}).Cases[0]; len(c.Message) > 4000 {
				t.Errorf("%d bytes of a message", len(c.Message))
			}
		}
	})
}
