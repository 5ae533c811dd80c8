package nbkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/notebooks/nbkit/judge"
)

func add(a, b float64) float64              { return a + b }
func sum(first int, rest ...int) int        { return first + len(rest) }
func half(n int) (int, error)               { return n / 2, nil }
func weigh(y []int, weights []float64) bool { return weights == nil }
func greet(name string) string              { return "hello " + name }
func apply(f func(float64) float64) float64 { return f(2) }
func onFloat32(x float32) float32           { return x }
func first[T any](values []T) T             { return values[0] }

func TestCall(t *testing.T) {
	for _, tc := range []struct {
		name string
		c    Case
		want string // in the error; "" for none
	}{
		{"numbers", Call("", 3.0, add, 1.0, 2.0), ""},
		{"whole numbers for floats", Call("", 3, add, 1, 2), ""},
		{"rounding", Call("", 0.3, add, 0.1, 0.2), ""},
		{"no tolerance", Call("", 0.3, add, 0.1, 0.2).Within(0), "expected 0.3"},
		{"wrong", Call("", 4, add, 1, 2).WithHint("sum"), "expected 4, got 3"},
		{"nil slice", Call("", true, weigh, []int{1}, nil), ""},
		{"variadic", Call("", 3, sum, 1, 5, 6), ""},
		{"variadic with none", Call("", 1, sum, 1), ""},
		{"two results", Call("", Values(2, nil), half, 4), ""},
		{"generic", Call("", 7, first[int], []int{7}), ""},
		{"a function for an argument", Call("", 4, apply, func(x float64) float64 { return x * x }), ""},
		{"no function", Call("", 1, 5), "cannot be tried: it calls a int, not a function"},
		{"nil function", Call("", 1, (func())(nil)), "cannot be tried"},
		{"too few", Call("", 1, add, 1), "1 arguments are given"},
		{"too many", Call("", 1, half, 1, 2), "2 arguments are given"},
		{"wrong type", Call("", 1, weigh, 1, nil), "argument 1 is int"},
		{"a number is no text", Call("", "", greet, 65), "argument 1 is int"},
		{"a fraction is no int", Call("", 0, half, 0.5), "argument 1 is float64"},
		{"0.1 is no float32", Call("", 0.1, onFloat32, 0.1), "argument 1 is float64"},
		{"nil is no number", Call("", 0, half, nil), "argument 1 is <nil>"},
	} {
		err := judged(t, tc.c)[0]
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
			t.Errorf("%s: error %v, want %q in it", tc.name, err, tc.want)
		}
	}
}

func TestScoreTravelsWithTheCheck(t *testing.T) {
	sent := capture(t)
	Check("Adding", Call("right", 3, add, 1, 2).WithHint("no need"), Call("wrong", 4, add, 1, 2).WithHint("add"), Call("", 1, first[int], []int{}),
		Case{Name: "stub", Got: func() any { panic(NotImplemented("Stub")) }, Hint: "do it"},
		Case{Name: "hangs", Got: func() any { select {} }, Limit: time.Millisecond})
	var got judge.Score
	if err := json.Unmarshal([]byte((*sent)[0].score), &got); err != nil {
		t.Fatal(err)
	}
	for i, c := range got.Cases {
		if c.Passed != (c.Message == "") {
			t.Errorf("%s: passed %v, message %q", c.Name, c.Passed, c.Message)
		}
		got.Cases[i].Message = ""
	}
	want := judge.Score{Title: "Adding", Passed: 1, Of: 5, Cases: []judge.CaseScore{{Name: "right", Passed: true}, {Name: "wrong", Hint: "add"}, {Name: "case 3"},
		{Name: "stub", Unwritten: true}, {Name: "hangs", NoAnswer: true}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("score %+v, want %+v", got, want)
	}
}

func TestNotImplementedInACheck(t *testing.T) {
	stopped := ""
	old := stop
	stop, stopOnce = func(name string) { stopped = name }, sync.Once{}
	t.Cleanup(func() { stop, stopOnce = old, sync.Once{} })
	stub := func(int) int { panic(NotImplemented("Stub")) }
	if err := judged(t, Call("", 1, stub, 1))[0]; !errors.Is(err, ErrNotImplemented) || stopped != "" {
		t.Errorf("in a check: %v, stopped %q", err, stopped)
	}
	if err := NotImplemented("Stub"); !errors.Is(err, ErrNotImplemented) || stopped != "Stub" {
		t.Errorf("in another cell: %v, stopped %q", err, stopped)
	}
}

// A leave-one-out loop, all of whose workers come to the stub, says once that it is one.
func TestNotImplementedInParallel(t *testing.T) {
	var said atomic.Int32
	old := stop
	stop, stopOnce = func(string) { said.Add(1) }, sync.Once{}
	t.Cleanup(func() { stop, stopOnce = old, sync.Once{} })
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() { _ = NotImplemented("Stub") })
	}
	workers.Wait()
	if said.Load() != 1 {
		t.Errorf("said %d times", said.Load())
	}
}

// What a student reads, from a program of package main as the kernel builds it.
func TestStudentsProgram(t *testing.T) {
	out, err := exec.Command("go", "run", "./testdata/student").CombinedOutput()
	want := `Exercises: 1 of 6 passed
  ✗ last: panic: runtime error: index out of range [3] with length 3, in Last, line 3 counted from its func
  ✗ within a cell: panic: runtime error: index out of range [3] with length 3, in LastOfCell, line 8 of its cell
  ✗ called by a helper: panic: runtime error: index out of range [3] with length 3, in LastOfCell, line 8 of its cell
  ✗ inlined: panic: runtime error: index out of range [3] with length 3, in Last
  ✗ total: not implemented yet
      Hint: if you have written it, run its cell; where that does not compile, an earlier version is tried
  ✓ largest
Total is not implemented yet. Do its exercise, run that cell until it compiles, then run this one again.
`
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

// A function that calls itself without an end would end the program before any case is shown,
// and one that appends without an end take all memory.
func TestEndlessFunctions(t *testing.T) {
	program := filepath.Join(t.TempDir(), "endless.exe")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/endless").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for what, want := range map[string]string{
		"calls": `Calls: 1 of 4 passed
  ✓ one
  ✗ two: no answer: a function calls itself again and again; where does that end?
      Hint: 1 is the end
  ✗ again: not tried, since the program has to be ended first
  ✗ once more: not tried, since the program has to be ended first
`,
		"appends": `Appends: 1 of 2 passed
  ✓ even
  ✗ odd: no answer: it takes more and more memory, 512 MiB so far; does a loop append without an end?
`,
		// The first may be at fault for the second.
		"late": `Late: 0 of 1 passed
  ✗ appends: no answer after 100ms: does a loop never end?
Late: 0 of 1 passed
  ✗ waits: no answer: it takes more and more memory, 512 MiB so far; does a loop append without an end? This case does so, or an earlier one that has not ended
`,
		"all": `Points so far: 1 of 6
  Calls: 1 of 4: 1 of 4 cases pass. two: no answer: a function calls itself again and again; where does that end?
      Hint: 1 is the end
  Appends: 0 of 2: not tried, since the program has to be ended first
`,
	} {
		out, err := exec.Command(program, what).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || string(out) != want {
			t.Errorf("%v\n%s\nwant\n%s", err, out, want)
		}
	}
}

// A wrong answer of any length is told in a message that a page can show.
func TestLongAnswers(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for _, f := range []any{func() string { return long }, func() string { panic(long) }} {
		if err := judged(t, Call("", "x", f))[0]; err == nil || len(err.Error()) > 1000 {
			t.Errorf("%d bytes", len(fmt.Sprint(err)))
		}
	}
}

// A function that changes whatever it is given must not spoil the case after it.
func TestCallCopiesArguments(t *testing.T) {
	type pair struct{ Values []int }
	row, rows := []float64{1, 2}, [][]int{{1}, {2}}
	byName, X := map[string][]int{"a": {1}}, mat.NewDense(1, 2, []float64{1, 2})
	v, p, anything := mat.NewVecDense(1, []float64{1}), pair{Values: []int{1}}, any([]int{1})
	spoil := func(row []float64, rows [][]int, byName map[string][]int, X *mat.Dense, v *mat.VecDense, p pair, anything any) bool {
		row[0], rows[0][0], byName["a"][0], p.Values[0], anything.([]int)[0] = 9, 9, 9, 9, 9
		byName["b"] = nil
		X.Set(0, 0, 9)
		v.SetVec(0, 9)
		return true
	}
	if err := judged(t, Call("", true, spoil, row, rows, byName, X, v, p, anything))[0]; err != nil {
		t.Fatal(err)
	}
	if row[0] != 1 || rows[0][0] != 1 || len(byName) != 1 || byName["a"][0] != 1 || X.At(0, 0) != 1 ||
		v.AtVec(0) != 1 || p.Values[0] != 1 || anything.([]int)[0] != 1 {
		t.Errorf("changed: %v %v %v %v %v %v %v", row, rows, byName, X, v, p, anything)
	}
	pairOfSlices := [2][]int{{1}, {2}}
	if err := judged(t, Call("", 9, func(a [2][]int) int { a[0][0] = 9; return 9 }, pairOfSlices))[0]; err != nil || pairOfSlices[0][0] != 1 {
		t.Errorf("changed: %v, %v", pairOfSlices, err)
	}
	nothing := func(a []int, m map[string]int, X *mat.Dense, e error) bool {
		return a == nil && m == nil && X == nil && e == nil
	}
	if err := judged(t, Call("", true, nothing, []int(nil), nil, (*mat.Dense)(nil), nil))[0]; err != nil {
		t.Errorf("nil did not stay nil: %v", err)
	}
}
