package nbkit

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A mismatch is the first difference between two values.
type mismatch struct {
	where string // "[2]", ".Loss", "(0,1)", "result 2"; "" for the values themselves
	why   string
	// digits is how many significant digits tell the two numbers apart, 0 where the
	// difference is not one of numbers.
	digits int
	// near is whether the numbers differ by so little that the tolerance matters.
	near bool
	// enough is whether why shows the two values whole.
	enough bool
}

// inside puts a step before the place of a mismatch.
func (m *mismatch) inside(step string) *mismatch {
	m.where = step + m.where
	m.enough = false
	return m
}

// differ returns nil if got is what was wanted, else an error that says first how they
// differ and where, then shows both with the digits that tell them apart.
func differ(got, want any, tol float64) error {
	m := results(got, want, tol)
	if m == nil {
		return nil
	}
	text := m.why
	if m.where != "" {
		text = "first difference at " + m.where + ": " + m.why
	}
	// A long list or a matrix is not shown beside its element.
	if w, g := brief(want, m.digits), brief(got, m.digits); !m.enough && w != g && w != "" && g != "" {
		text += fmt.Sprintf("\nexpected %s, got %s", w, g)
	}
	if m.near {
		text += fmt.Sprintf("\n(numbers may differ by %g)", tol)
	}
	return errors.New(text)
}

// results compares what [Values] made, or [Call] of a function with several results.
// Whether there is an answer comes before what it is: a last result that is a truth
// value, Go's "found", is compared first.
func results(got, want any, tol float64) *mismatch {
	g, ok := got.([]any)
	w, too := want.([]any)
	if !ok || !too || len(g) != len(w) {
		return difference(reflect.ValueOf(got), reflect.ValueOf(want), tol, 0)
	}
	order := make([]int, 0, len(w))
	for i := range w {
		order = append(order, i)
	}
	if last := len(w) - 1; last > 0 {
		if _, isBool := w[last].(bool); isBool {
			order = append([]int{last}, order[:last]...)
		}
	}
	for _, i := range order {
		if m := difference(reflect.ValueOf(g[i]), reflect.ValueOf(w[i]), tol, 1); m != nil {
			return m.inside(fmt.Sprintf("result %d", i+1))
		}
	}
	return nil
}

var (
	matrixType = reflect.TypeFor[mat.Matrix]()
	errorType  = reflect.TypeFor[error]()
)

// difference finds the first difference, nil if there is none.
func difference(got, want reflect.Value, tol float64, depth int) *mismatch {
	if depth > 100 {
		return &mismatch{why: "too deeply nested to compare", enough: true}
	}
	kinds := func() *mismatch {
		return &mismatch{why: fmt.Sprintf("expected %s, got %s", kind(want), kind(got))}
	}
	got, want = unwrap(got), unwrap(want)
	if !got.IsValid() || !want.IsValid() {
		if isNil(got) && isNil(want) {
			return nil
		}
		return shown(got, want)
	}
	if want.CanInterface() && got.CanInterface() {
		switch {
		case want.Type().Implements(errorType):
			e, ok := got.Interface().(error)
			if !ok || !errors.Is(e, want.Interface().(error)) {
				return shown(got, want)
			}
			return nil
		case want.Type().Implements(matrixType):
			m, ok := got.Interface().(mat.Matrix)
			if !ok {
				return kinds()
			}
			return matrixDifference(m, want.Interface().(mat.Matrix), tol)
		}
	}
	if g, ok := number(got); ok {
		w, ok := number(want)
		switch {
		case !ok:
			return kinds()
		case whole(got) && whole(want) && tol < 1:
			// Beyond 2^53 a float64 does not tell two of them apart.
			if !sameWhole(got, want) {
				return shown(got, want)
			}
		case !near(g, w, tol):
			return numbersDiffer(g, w, tol)
		}
		return nil
	}
	if got.Kind() != want.Kind() {
		return kinds()
	}
	switch want.Kind() {
	case reflect.Slice, reflect.Array:
		if got.Len() != want.Len() {
			return &mismatch{why: fmt.Sprintf("expected %s, got %d", counted(want.Len(), "element", "elements"), got.Len())}
		}
		for i := range want.Len() {
			if m := difference(got.Index(i), want.Index(i), tol, depth+1); m != nil {
				return m.inside(fmt.Sprintf("[%d]", i))
			}
		}
		return nil
	case reflect.Map:
		if got.Len() != want.Len() {
			return &mismatch{why: fmt.Sprintf("expected %s, got %d", counted(want.Len(), "entry", "entries"), got.Len())}
		}
		if got.Type().Key() != want.Type().Key() {
			return kinds()
		}
		for _, k := range sortedKeys(want) {
			g := got.MapIndex(k)
			if !g.IsValid() {
				return (&mismatch{why: "missing"}).inside(fmt.Sprintf("[%v]", k))
			}
			if m := difference(g, want.MapIndex(k), tol, depth+1); m != nil {
				return m.inside(fmt.Sprintf("[%v]", k))
			}
		}
		return nil
	case reflect.Struct:
		if got.Type() != want.Type() {
			return kinds()
		}
		for i := range want.NumField() {
			if m := difference(got.Field(i), want.Field(i), tol, depth+1); m != nil {
				return m.inside("." + want.Type().Field(i).Name)
			}
		}
		return nil
	case reflect.String:
		if got.String() != want.String() {
			return shown(got, want)
		}
		return nil
	case reflect.Bool:
		if got.Bool() != want.Bool() {
			return shown(got, want)
		}
		return nil
	case reflect.Complex64, reflect.Complex128:
		g, w := got.Complex(), want.Complex()
		if !near(real(g), real(w), tol) || !near(imag(g), imag(w), tol) {
			return shown(got, want)
		}
		return nil
	}
	return &mismatch{why: fmt.Sprintf("values of type %v cannot be compared", want.Type()), enough: true}
}

// shown is the mismatch of two values that are told by showing them.
func shown(got, want reflect.Value) *mismatch {
	return &mismatch{why: fmt.Sprintf("expected %s, got %s", briefValue(want, 0), briefValue(got, 0)), enough: true}
}

// numbersDiffer is the mismatch of two numbers.
func numbersDiffer(got, want, tol float64) *mismatch {
	digits := apart(got, want)
	return &mismatch{
		why:    fmt.Sprintf("expected %s, got %s", inDigits(want, digits), inDigits(got, digits)),
		digits: digits,
		near:   math.Abs(got-want) <= 1000*tol,
		enough: true,
	}
}

// kind says what sort of thing a value is, for readers of Go.
func kind(v reflect.Value) string {
	v = unwrap(v)
	switch {
	case !v.IsValid():
		return "nothing (nil)"
	case v.Type().Implements(matrixType):
		return "a matrix"
	case v.Type().Implements(errorType):
		return "an error"
	}
	name := v.Type().String()
	if strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", more)
}

// unwrap follows interfaces and pointers, but leaves what is an error or a
// matrix through its pointer. A pointer may point to itself; nobody means more than a few.
func unwrap(v reflect.Value) reflect.Value {
	for depth := 0; depth < 100 && v.IsValid() && (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer); depth++ {
		if v.IsNil() {
			return reflect.Value{}
		}
		if v.Kind() == reflect.Pointer && (v.Type().Implements(errorType) || v.Type().Implements(matrixType)) {
			return v
		}
		v = v.Elem()
	}
	return v
}

func isNil(v reflect.Value) bool {
	if !v.IsValid() {
		return true
	}
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

func number(v reflect.Value) (float64, bool) {
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// whole is whether a value is of an integer type.
func whole(v reflect.Value) bool { return v.CanInt() || v.CanUint() }

// sameWhole compares whole numbers without rounding them to a float64.
func sameWhole(a, b reflect.Value) bool {
	switch {
	case a.CanInt() && b.CanInt():
		return a.Int() == b.Int()
	case a.CanUint() && b.CanUint():
		return a.Uint() == b.Uint()
	case a.CanInt():
		return a.Int() >= 0 && uint64(a.Int()) == b.Uint()
	}
	return b.Int() >= 0 && uint64(b.Int()) == a.Uint()
}

func near(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol
}

func matrixDifference(got, want mat.Matrix, tol float64) *mismatch {
	gr, gc := got.Dims()
	wr, wc := want.Dims()
	if gr != wr || gc != wc {
		return &mismatch{why: fmt.Sprintf("expected a matrix of %d×%d, got one of %d×%d", wr, wc, gr, gc), enough: true}
	}
	for i := range wr {
		for j := range wc {
			if g, w := got.At(i, j), want.At(i, j); !near(g, w, tol) {
				m := numbersDiffer(g, w, tol).inside(fmt.Sprintf("(%d,%d)", i, j))
				m.enough = wr*wc > 12
				return m
			}
		}
	}
	return nil
}
