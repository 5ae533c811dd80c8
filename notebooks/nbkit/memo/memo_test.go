package memo

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/nbkit/internal/checkout"
	"gonum.org/v1/gonum/mat"
)

// fakeCheckout makes the root of a module like this one and works in it.
func fakeCheckout(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module "+checkout.Module+"\n")
	write(t, filepath.Join(root, "go.sum"), "")
	write(t, filepath.Join(root, "mlcore", "a.go"), "package mlcore\n")
	write(t, filepath.Join(root, "mlcore", "tree", "b.go"), "package tree\n")
	write(t, filepath.Join(root, "notebooks", "go.mod"), "module m\n")
	t.Setenv("GONB_DIR", root)
	return root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

var calls int

func slowSquare(x int) (int, error) {
	if calls++; x < 0 {
		return 0, mlcore.ErrNotFitted
	}
	return x * x, nil
}

func TestKeepsAndForgets(t *testing.T) {
	root := fakeCheckout(t)
	calls = 0
	call := func(name string, x, wantCalls int) {
		t.Helper()
		v, err := Of(name, x, slowSquare)
		if err != nil || v != x*x || calls != wantCalls {
			t.Errorf("Of(%s, %d) = %d, %v after %d calls, want %d", name, x, v, err, calls, wantCalls)
		}
	}
	call("a", 3, 1)
	call("a", 3, 1) // kept
	call("a", 4, 2) // other parameters
	call("b", 3, 3) // other name
	write(t, filepath.Join(root, "mlcore", "a.go"), "package mlcore // changed\n")
	write(t, filepath.Join(root, "mlcore", "tree", "b.go"), "package tree\n\nvar x int\n")
	call("a", 3, 3) // neither a comment nor a package that the function does not use matters
	write(t, filepath.Join(root, "mlcore", "a.go"), "package mlcore\n\nvar x int\n")
	call("a", 3, 4) // other code
	call("a", 3, 4)
	write(t, filepath.Join(root, "mlcore", "a_test.go"), "package mlcore\n")
	call("a", 3, 4) // tests do not matter

	kept, err := filepath.Glob(filepath.Join(root, ".lab", "memo", "*.gob"))
	if err != nil || len(kept) != 4 {
		t.Fatalf("%d files, error %v", len(kept), err)
	}
	for _, path := range kept { // cut short, as a full disk might
		if err := os.Truncate(path, 20); err != nil {
			t.Fatal(err)
		}
	}
	call("a", 3, 5)
}

// A type of the caller's own need not be registered with gob.
func TestTakesParametersOfAnyType(t *testing.T) {
	fakeCheckout(t)
	type job struct {
		Name string
		Ks   []int
	}
	for _, want := range []int{2, 3} {
		got, err := Of("jobs", job{"k", make([]int, want)}, func(j job) (int, error) { return len(j.Ks), nil })
		if err != nil || got != want {
			t.Errorf("%d, %v; want %d", got, err, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	fakeCheckout(t)
	local := 2
	if _, err := Of("local", 1, func(x int) (int, error) { return x * local, nil }); err == nil || !strings.Contains(err.Error(), "local variable local") {
		t.Errorf("a captured variable gave %v", err)
	}
	fail := errors.New("no luck")
	for range 2 {
		if _, err := Of("fails", 1, func(x int) (int, error) { return 0, errors.New("no luck") }); err == nil || err.Error() != fail.Error() {
			t.Errorf("an error came as %v", err)
		}
	}
	type half struct {
		Kept int
		lost int
	}
	if v, err := Of("half", 1, func(x int) (half, error) { return half{1, x}, nil }); !errors.Is(err, ErrNotStorable) || v.lost != 1 || !strings.Contains(err.Error(), ".lost") {
		t.Errorf("unexported field: %+v, %v", v, err)
	}
	if v, err := Of("zero", 0, func(x int) (half, error) { return half{1, x}, nil }); err != nil || v.Kept != 1 {
		t.Errorf("an unexported field that is zero: %v", err)
	}
	if _, err := Of("func", 1, func(x int) (func(), error) { return func() {}, nil }); !errors.Is(err, ErrNotStorable) {
		t.Errorf("a function: %v", err)
	}
	if _, err := Of("params", half{1, 2}, func(h half) (int, error) { return 0, nil }); !errors.Is(err, ErrNotStorable) {
		t.Errorf("parameters: %v", err)
	}
}

func TestStoresWhole(t *testing.T) {
	fakeCheckout(t)
	type result struct {
		M    *mat.Dense
		List []float64
		Map  map[string][]int
		None []int
	}
	make := func(int) (result, error) {
		return result{mat.NewDense(1, 2, []float64{1, math.Inf(1)}), []float64{math.NaN(), 1e-300}, map[string][]int{"a": {1}}, []int{}}, nil
	}
	for i := range 2 {
		r, err := Of("whole", 1, make)
		if err != nil {
			t.Fatal(err)
		}
		if r.M.At(0, 1) != math.Inf(1) || !math.IsNaN(r.List[0]) || r.List[1] != 1e-300 || r.Map["a"][0] != 1 {
			t.Errorf("round %d: %+v", i, r)
		}
	}
}

func TestOutsideCheckout(t *testing.T) {
	t.Setenv("GONB_DIR", "")
	t.Chdir(t.TempDir())
	calls = 0
	for range 2 {
		if v, err := Of("a", 5, slowSquare); v != 25 || err != nil {
			t.Errorf("got %d, %v", v, err)
		}
	}
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

// The source that a key is made of holds what a function refers to, however far,
// and not what it does not.
func TestSourceOf(t *testing.T) {
	src, imports, err := sourceOf(reachA)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"reachA", "reachB", "reachLimit = 7", "reachType struct", "Method"} {
		if !strings.Contains(src, want) {
			t.Errorf("no %q in %s", want, src)
		}
	}
	if strings.Contains(src, "TestSourceOf") {
		t.Error("holds what it does not refer to")
	}
	if !slices.Equal(imports, []string{"strings"}) {
		t.Errorf("it imports %v, though it refers to package strings alone", imports)
	}
}

var reachLimit = 7

type reachType struct{ n int }

func (r reachType) Method() int { return r.n }

func reachB() int             { return reachType{reachLimit}.Method() }
func reachA(int) (int, error) { return reachB() + strings.Count("aa", "a"), nil }
