package nbkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

func value(v any) func() any { return func() any { return v } }

// judged is what is wrong with each case, nil where it passes: the same where the answer has
// gone through JSON, as it does on the way out of a program that is graded.
func judged(t *testing.T, cases ...Case) []error {
	t.Helper()
	all := try(cases, nil)
	errs := make([]error, len(all))
	for i, so := range all {
		if errs[i] = so.err; errs[i] != nil {
			continue
		}
		errs[i] = judge.Differ(so.got, so.want, cases[i].Tol)
		text, err := json.Marshal(so.answer())
		if err != nil {
			t.Fatal(err)
		}
		var a judge.Answer
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatal(err)
		}
		if other := judge.Differ(a.Value, so.want, cases[i].Tol); fmt.Sprint(other) != fmt.Sprint(errs[i]) {
			t.Errorf("%s: %v, and %v through JSON", cases[i].Name, errs[i], other)
		}
	}
	return errs
}

func TestGrade(t *testing.T) {
	type point struct{ X, Y float64 }
	tenth := 0.1 // a variable: constants are added exactly
	wrapped := fmt.Errorf("reading: %w", io.EOF)
	for _, c := range []struct {
		name string
		c    Case
		want string // in the error; "" for none
	}{
		{"equal floats", Case{Got: value(tenth + 0.2), Want: 0.3, Tol: 1e-12}, ""},
		{"no tolerance", Case{Got: value(tenth + 0.2), Want: 0.3}, "expected 0.3, got 0.30000000000000004"},
		{"int for float", Case{Got: value(2.0), Want: 2}, ""},
		{"int for float, wrong", Case{Got: value(2.5), Want: 2}, "expected 2, got 2.5"},
		{"NaN", Case{Got: value(math.NaN()), Want: math.NaN()}, ""},
		{"NaN for number", Case{Got: value(math.NaN()), Want: 1.0, Tol: 1}, "got NaN"},
		{"slice", Case{Got: value([]int{1, 2, 4}), Want: []int{1, 2, 3}}, "first difference at [2]: expected 3, got 4"},
		{"slice length", Case{Got: value([]int{1}), Want: []int{1, 2}}, "expected 2 elements, got 1"},
		{"nil and empty", Case{Got: value([]int(nil)), Want: []int{}}, ""},
		{"several results", Case{Got: func() any { return Values(strings.Cut("a=b", "=")) }, Want: Values("a", "b", true)}, ""},
		{"nested", Case{Got: value([][]float64{{1}, {2, 3}}), Want: [][]float64{{1}, {2, 4}}}, "at [1][1]"},
		{"map", Case{Got: value(map[string]int{"a": 1}), Want: map[string]int{"b": 1}}, "at [b]: missing"},
		{"struct", Case{Got: value(point{1, 2}), Want: point{1, 3}}, "at .Y"},
		{"pointer to struct", Case{Got: value(&point{1, 2}), Want: point{1, 2}}, ""},
		{"matrix", Case{Got: value(mat.NewDense(1, 2, []float64{1, 2})), Want: mat.NewDense(1, 2, []float64{1, 5})}, "at (0,1): expected 5, got 2"},
		{"matrix shape", Case{Got: value(mat.NewDense(2, 1, nil)), Want: mat.NewDense(1, 2, nil)}, "expected a matrix of 1×2, got one of 2×1"},
		{"matrix of a kind", Case{Got: value(mat.NewDiagDense(2, []float64{1, 1})), Want: mat.NewDense(2, 2, []float64{1, 0, 0, 1})}, ""},
		{"error", Case{Got: value(wrapped), Want: io.EOF}, ""},
		{"other error", Case{Got: value(errors.New("x")), Want: io.EOF}, `expected error "EOF", got error "x"`},
		{"nothing", Case{Got: value(nil), Want: nil}, ""},
		{"nothing for something", Case{Got: value(nil), Want: 1}, "expected 1, got nothing (nil)"},
		{"text", Case{Got: value("a"), Want: "b"}, `expected "b", got "a"`},
		{"kind", Case{Got: value("1"), Want: 1}, "expected an int, got a string"},
		{"panic", Case{Got: func() any { panic("boom") }, Want: 1}, "panic: boom"},
		{"index", Case{Got: func() any { var s []int; return s[len(s)] }, Want: 1}, "index out of range"},
		{"stub", Case{Got: func() any { panic("not implemented") }, Want: 1}, "not implemented yet"},
		{"hang", Case{Got: func() any { select {} }, Want: 1, Limit: 20 * time.Millisecond}, "no answer after 20ms"},
		{"no call", Case{Want: 1}, "Got is nil"},
	} {
		err := judged(t, c.c)[0]
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
}

// What a failed case says, whole: first what kind of difference it is and where, then the
// values with the digits that tell them apart.
func TestMessages(t *testing.T) {
	type split struct {
		Feature   int
		Threshold float64
	}
	column := func(x ...float64) mat.Matrix { return mat.NewDense(len(x), 1, x) }
	long := make([]float64, 1000)
	for _, c := range []struct {
		name      string
		want, got any
		tol       float64
		says      string
	}{
		{"six digits are enough", 2.0 / 3, 1.0 / 3, 0, "expected 0.666667, got 0.333333"},
		{"as many as it takes", 2.0 / 3, 0.66666672, 0, "expected 0.66666667, got 0.66666672"},
		{"a power of ten", 1e-7 / 3, 1e-7, 0, "expected 3.33333e-08, got 1e-07"},
		{"large", 1234567.75, 1234567.5, 0, "expected 1234567.8, got 1234567.5"},
		{"the tolerance where it matters", 0.5, 0.50002, 1e-5, "expected 0.5, got 0.50002\n(numbers may differ by 1e-05)"},
		{"no tolerance far off", 0.5, 0.25, 1e-9, "expected 0.5, got 0.25"},
		{"none for whole numbers", 7, 8, 1e-9, "expected 7, got 8"},
		{"whole numbers are not near", 7, 8, .999, "expected 7, got 8"},
		{"a count beyond its tolerance", 500, 571, 70, "expected 500, got 571\n(numbers may differ by 70)"},
		{"nor large ones", int64(1<<60 + 1), int64(1 << 60), 1e-9, "expected 1152921504606846977, got 1152921504606846976"},
		{"nor unsigned ones", uint(3), -1, .5, "expected 3, got -1"},
		{"a list", []float64{1, 2.0 / 3}, []float64{1, .5}, 1e-9, "first difference at [1]: expected 0.666667, got 0.5\nexpected [1 0.666667], got [1 0.5]"},
		{"a list with more digits", []float64{1, .25}, []float64{1, .25000001}, 0, "first difference at [1]: expected 0.25, got 0.25000001\nexpected [1 0.25], got [1 0.25000001]"},
		{"a list's length", []int{4}, []int{4, 5}, 1e-9, "expected 1 element, got 2\nexpected [4], got [4 5]"},
		{"a matrix", column(-1, 0, 1), column(-1.000002, 0, 1), 1e-9, "first difference at (0,0): expected -1, got -1.000002\nexpected [-1; 0; 1], got [-1.000002; 0; 1]"},
		{"a large matrix", mat.NewDense(10, 10, nil), mat.NewDense(10, 10, append([]float64{0, 1}, long[:98]...)), 0, "first difference at (0,1): expected 0, got 1"},
		{"a struct", split{1, .5}, split{1, .75}, 1e-9, "first difference at .Threshold: expected 0.5, got 0.75\nexpected {Feature: 1, Threshold: 0.5}, got {Feature: 1, Threshold: 0.75}"},
		{"found or not first", Values(split{1, .5}, true), Values(split{}, false), 1e-9,
			"first difference at result 2: expected true, got false\nexpected [{Feature: 1, Threshold: 0.5} true], got [{Feature: 0, Threshold: 0} false]"},
		{"what was found", Values(split{1, .5}, true), Values(split{0, .5}, true), 1e-9,
			"first difference at result 1.Feature: expected 1, got 0\nexpected [{Feature: 1, Threshold: 0.5} true], got [{Feature: 0, Threshold: 0.5} true]"},
		{"a nil pointer", &split{1, 2}, (*split)(nil), 0, "expected {Feature: 1, Threshold: 2}, got nothing (nil)"},
		{"a map", map[int]int{1: 2, 3: 4}, map[int]int{1: 2, 3: 5}, 0, "first difference at [3]: expected 4, got 5\nexpected map[1: 2 3: 4], got map[1: 2 3: 5]"},
		{"NaN", 0.0, math.NaN(), 1e-9, "expected 0, got NaN"},
		{"a vector for a matrix", column(1), []float64{1}, 0, "expected a matrix, got a []float64"},
	} {
		err := judged(t, Case{Got: value(c.got), Want: c.want, Tol: c.tol})[0]
		if err == nil || err.Error() != c.says {
			t.Errorf("%s:\n%v\nwant\n%s", c.name, err, c.says)
		}
	}
	if err := judged(t, Case{Got: value(7.5), Want: 7, Tol: 1})[0]; err != nil {
		t.Errorf("a float near a whole number: %v", err)
	}
	if err := judged(t, Case{Got: value(570), Want: 500, Tol: 70})[0]; err != nil {
		t.Errorf("a count within its tolerance: %v", err)
	}
}

func TestCheckShows(t *testing.T) {
	sent := capture(t)
	if !Check("Fine", Case{Name: "one", Got: value(1), Want: 1}) {
		t.Error("Fine failed")
	}
	if o := (*sent)[0]; o.kind != kindChecked || o.text != "Fine: 1 of 1 passed\n  ✓ one" {
		t.Errorf("sent %+v", o)
	}
	*sent = nil
	if Check("Bad", Case{Got: value(1), Want: 2, Hint: "<count> from 1"}, Case{Name: "stub", Got: func() any { panic("Not implemented!") }, Hint: "no"}) {
		t.Error("Bad passed")
	}
	o := (*sent)[0]
	for _, want := range []string{"Bad: 0 of 2 passed", "✗ case 1: expected 2, got 1", "Hint: <count> from 1", "✗ stub: not implemented yet\n      Hint: if you have written it, run its cell"} {
		if !strings.Contains(o.text, want) {
			t.Errorf("no %q in %s", want, o.text)
		}
	}
	if o.kind != kindFailed || !strings.Contains(o.html, "&lt;count&gt;") || strings.Contains(o.text, "Hint: no") {
		t.Errorf("sent %+v", o)
	}
	if Check("Empty") {
		t.Error("a check of nothing passed")
	}
}

// The second endless loop is given up ten times sooner than the first.
func TestPatienceEnds(t *testing.T) {
	hang := Case{Got: func() any { select {} }, Want: 1}
	first := hang
	first.Limit = 20 * time.Millisecond
	errs := judged(t, first, hang, Case{Got: value(1), Want: 1})
	if errs[0] == nil || errs[1] == nil || !strings.Contains(errs[1].Error(), "no answer after 1s") || errs[2] != nil {
		t.Errorf("%v", errs)
	}
}
