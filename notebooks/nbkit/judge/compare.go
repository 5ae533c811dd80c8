package judge

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
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

// Differ returns nil if got is what was wanted, else an error that says first how they
// differ and where, then shows both with the digits that tell them apart. Numbers are
// compared by value whatever their types and may differ by tol, whole ones by a tol of at
// least 1 only; slices, maps, structs and matrices element by element. An error is the one
// that is wanted, or wraps it, if it has its type and text.
func Differ(got, want Value, tol float64) error {
	m := results(got, want, tol)
	if m == nil {
		return nil
	}
	text := m.why
	if m.where != "" {
		text = "first difference at " + m.where + ": " + m.why
	}
	// A long list or a matrix is not shown beside its element.
	if w, g := want.brief(m.digits), got.brief(m.digits); !m.enough && w != g && w != "" && g != "" {
		text += fmt.Sprintf("\nexpected %s, got %s", w, g)
	}
	if m.near {
		text += fmt.Sprintf("\n(numbers may differ by %g)", tol)
	}
	return errors.New(text)
}

// several is the type of what a function with several results is said to return.
const several = "[]interface {}"

// results compares the results of a function. Where there are several, whether there is an
// answer comes before what it is: a last result that is a truth value, Go's "found", is
// compared first.
func results(got, want Value, tol float64) *mismatch {
	if got.Type != several || want.Type != several || len(got.Items) != len(want.Items) {
		return difference(got, want, tol, 0)
	}
	order := make([]int, 0, len(want.Items))
	for i := range want.Items {
		order = append(order, i)
	}
	if last := len(order) - 1; last > 0 && want.Items[last].Type == "bool" {
		order = append([]int{last}, order[:last]...)
	}
	for _, i := range order {
		if m := difference(got.Items[i], want.Items[i], tol, 1); m != nil {
			return m.inside(fmt.Sprintf("result %d", i+1))
		}
	}
	return nil
}

// difference finds the first difference, nil if there is none.
func difference(got, want Value, tol float64, depth int) *mismatch {
	if depth > deepest || got.Kind == Cut || want.Kind == Cut {
		return &mismatch{why: "too large, or too deeply nested, to compare", enough: true}
	}
	kinds := func() *mismatch {
		return &mismatch{why: fmt.Sprintf("expected %s, got %s", want.kind(), got.kind())}
	}
	if got.Kind == Nothing || want.Kind == Nothing {
		if got.empty() && want.empty() {
			return nil
		}
		return shown(got, want)
	}
	g, w := got.more(), want.more()
	// In a kernel, a type of the notebook's may have got methods of the student's.
	sameStruct := got.Kind == Struct && want.Kind == Struct && got.id() == want.id()
	switch {
	case len(w.Errors) > 0:
		if !slices.Contains(g.Errors, w.Errors[0]) {
			return shown(got, want)
		}
		if !sameStruct {
			return nil
		}
	case w.Matrix != nil:
		if g.Matrix == nil {
			return kinds()
		}
		if m := matrixDifference(g.Matrix, w.Matrix, tol); m != nil || !sameStruct {
			return m
		}
	}
	if x, ok := got.number(); ok {
		y, ok := want.number()
		switch {
		case !ok:
			return kinds()
		case got.whole() && want.whole() && tol < 1:
			// Beyond 2^53 a float64 does not tell two of them apart.
			if !sameWhole(got, want) {
				return shown(got, want)
			}
		case !near(x, y, tol):
			return numbersDiffer(x, y, tol)
		}
		return nil
	}
	if got.Kind != want.Kind {
		return kinds()
	}
	switch want.Kind {
	case Slice, Array:
		if len(got.Items) != len(want.Items) {
			return &mismatch{why: fmt.Sprintf("expected %s, got %d", counted(len(want.Items), "element", "elements"), len(got.Items))}
		}
		for i := range want.Items {
			if m := difference(got.Items[i], want.Items[i], tol, depth+1); m != nil {
				return m.inside(fmt.Sprintf("[%d]", i))
			}
		}
		return nil
	case Map:
		if len(got.Items) != len(want.Items) {
			return &mismatch{why: fmt.Sprintf("expected %s, got %d", counted(len(want.Items), "entry", "entries"), len(got.Items))}
		}
		if g.Key != w.Key {
			return kinds()
		}
		at := map[string]int{}
		for i, k := range g.Keys {
			at[k.data()] = i
		}
		for i, name := range w.Names {
			at, ok := at[w.Keys[i].data()]
			if !ok {
				return (&mismatch{why: "missing"}).inside("[" + name + "]")
			}
			if m := difference(got.Items[at], want.Items[i], tol, depth+1); m != nil {
				return m.inside("[" + name + "]")
			}
		}
		return nil
	case Struct:
		return fieldDifference(got, want, tol, depth, kinds)
	case Bool:
		if got.Bits != want.Bits {
			return shown(got, want)
		}
		return nil
	case String:
		if got.Text != want.Text {
			return shown(got, want)
		}
		return nil
	case Complex:
		if !near(math.Float64frombits(got.Bits), math.Float64frombits(want.Bits), tol) || !near(math.Float64frombits(g.Imag), math.Float64frombits(w.Imag), tol) {
			return shown(got, want)
		}
		return nil
	}
	return &mismatch{why: fmt.Sprintf("values of type %s cannot be compared", Short(want.Type)), enough: true}
}

// fieldDifference compares structs of one type. Where two programs compare, an exercise that
// asks for a type may have been answered with fields in another order, or with more of them.
func fieldDifference(got, want Value, tol float64, depth int, kinds func() *mismatch) *mismatch {
	if got.id() != want.id() {
		return kinds()
	}
	names, wanted := got.more().Names, want.more().Names
	for i, name := range wanted {
		at := i
		if i >= len(names) || names[i] != name {
			at = slices.Index(names, name)
		}
		if at < 0 {
			return (&mismatch{why: "missing"}).inside("." + name)
		}
		if m := difference(got.Items[at], want.Items[i], tol, depth+1); m != nil {
			return m.inside("." + name)
		}
	}
	for i, name := range names {
		if !slices.Contains(wanted, name) && !got.Items[i].zero() {
			return (&mismatch{why: "expected no such field, or its zero value"}).inside("." + Short(name))
		}
	}
	return nil
}

// shown is the mismatch of two values that are told by showing them.
func shown(got, want Value) *mismatch {
	return &mismatch{why: fmt.Sprintf("expected %s, got %s", want.brief(0), got.brief(0)), enough: true}
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
func (v Value) kind() string {
	switch {
	case v.Kind == Nothing:
		return "nothing (nil)"
	case v.more().Matrix != nil:
		return "a matrix"
	case len(v.more().Errors) > 0:
		return "an error"
	case v.Type != "" && strings.Contains("aeiou", v.Type[:1]):
		return "an " + Short(v.Type)
	}
	return "a " + Short(v.Type)
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", more)
}

func near(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol
}

func matrixDifference(got, want *Matrix, tol float64) *mismatch {
	if got.Rows != want.Rows || got.Cols != want.Cols {
		return &mismatch{why: fmt.Sprintf("expected a matrix of %d×%d, got one of %d×%d", want.Rows, want.Cols, got.Rows, got.Cols), enough: true}
	}
	if len(got.Data) != got.Rows*got.Cols || len(want.Data) != len(got.Data) {
		return &mismatch{why: "too large to compare", enough: true}
	}
	for k := range want.Data {
		if g, w := math.Float64frombits(got.Data[k]), math.Float64frombits(want.Data[k]); !near(g, w, tol) {
			m := numbersDiffer(g, w, tol).inside(fmt.Sprintf("(%d,%d)", k/want.Cols, k%want.Cols))
			m.enough = len(want.Data) > 12
			return m
		}
	}
	return nil
}
