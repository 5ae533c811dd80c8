package nbkit

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// differ returns nil if got is what was wanted, else an error that shows both
// and the first place where they part.
func differ(got, want any, tol float64) error {
	where, why := difference(reflect.ValueOf(got), reflect.ValueOf(want), tol, 0)
	if why == "" {
		return nil
	}
	text := fmt.Sprintf("expected %s, got %s", brief(want), brief(got))
	if where != "" {
		text += fmt.Sprintf("\nfirst difference at %s: %s", where, why)
	} else if why != "differs" && why != text {
		text += "\n" + why
	}
	if tol > 0 {
		text += fmt.Sprintf("\n(numbers may differ by %g)", tol)
	}
	return errors.New(text)
}

// brief writes a value on one line of bearable length.
func brief(v any) string {
	var s string
	switch v := v.(type) {
	case error:
		s = "error " + fmt.Sprintf("%q", v.Error())
	case string:
		s = fmt.Sprintf("%q", v)
	case mat.Matrix:
		r, c := v.Dims()
		s = fmt.Sprintf("%d×%d matrix %v", r, c, mat.Formatted(v, mat.Squeeze(), mat.FormatMATLAB()))
		s = strings.Join(strings.Fields(s), " ")
	default:
		s = fmt.Sprintf("%v", v)
	}
	return cut(s)
}

// cut keeps the start of a long text.
func cut(s string) string {
	if r := []rune(s); len(r) > 160 {
		s = string(r[:160]) + "…"
	}
	return s
}

var (
	matrixType = reflect.TypeFor[mat.Matrix]()
	errorType  = reflect.TypeFor[error]()
)

// difference finds the first difference: where it is, and what it is ("" if
// there is none).
func difference(got, want reflect.Value, tol float64, depth int) (where, why string) {
	if depth > 100 {
		return "", "too deeply nested to compare"
	}
	got, want = unwrap(got), unwrap(want)
	if !got.IsValid() || !want.IsValid() {
		if isNil(got) && isNil(want) {
			return "", ""
		}
		return "", "differs"
	}
	if want.CanInterface() && got.CanInterface() {
		switch {
		case want.Type().Implements(errorType):
			e, ok := got.Interface().(error)
			if !ok || !errors.Is(e, want.Interface().(error)) {
				return "", "differs"
			}
			return "", ""
		case want.Type().Implements(matrixType):
			m, ok := got.Interface().(mat.Matrix)
			if !ok {
				return "", fmt.Sprintf("expected a matrix, got a %v", got.Type())
			}
			return matrixDifference(m, want.Interface().(mat.Matrix), tol)
		}
	}
	if g, ok := number(got); ok {
		w, ok := number(want)
		switch {
		case !ok:
			return "", fmt.Sprintf("expected a %v, got a %v", want.Type(), got.Type())
		case !near(g, w, tol):
			return "", fmt.Sprintf("expected %v, got %v", want, got)
		}
		return "", ""
	}
	if got.Kind() != want.Kind() {
		return "", fmt.Sprintf("expected a %v, got a %v", want.Type(), got.Type())
	}
	switch want.Kind() {
	case reflect.Slice, reflect.Array:
		if got.Len() != want.Len() {
			return "", fmt.Sprintf("expected %d elements, got %d", want.Len(), got.Len())
		}
		for i := range want.Len() {
			if where, why := difference(got.Index(i), want.Index(i), tol, depth+1); why != "" {
				return fmt.Sprintf("[%d]%s", i, where), why
			}
		}
		return "", ""
	case reflect.Map:
		if got.Len() != want.Len() {
			return "", fmt.Sprintf("expected %d entries, got %d", want.Len(), got.Len())
		}
		if got.Type().Key() != want.Type().Key() {
			return "", fmt.Sprintf("expected a %v, got a %v", want.Type(), got.Type())
		}
		keys := want.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
		})
		for _, k := range keys {
			g := got.MapIndex(k)
			if !g.IsValid() {
				return fmt.Sprintf("[%v]", k), "missing"
			}
			if where, why := difference(g, want.MapIndex(k), tol, depth+1); why != "" {
				return fmt.Sprintf("[%v]%s", k, where), why
			}
		}
		return "", ""
	case reflect.Struct:
		if got.Type() != want.Type() {
			return "", fmt.Sprintf("expected a %v, got a %v", want.Type(), got.Type())
		}
		for i := range want.NumField() {
			if where, why := difference(got.Field(i), want.Field(i), tol, depth+1); why != "" {
				return "." + want.Type().Field(i).Name + where, why
			}
		}
		return "", ""
	case reflect.String:
		if got.String() != want.String() {
			return "", fmt.Sprintf("expected %s, got %s", brief(want.String()), brief(got.String()))
		}
		return "", ""
	case reflect.Bool:
		if got.Bool() != want.Bool() {
			return "", fmt.Sprintf("expected %v, got %v", want.Bool(), got.Bool())
		}
		return "", ""
	case reflect.Complex64, reflect.Complex128:
		g, w := got.Complex(), want.Complex()
		if !near(real(g), real(w), tol) || !near(imag(g), imag(w), tol) {
			return "", fmt.Sprintf("expected %v, got %v", w, g)
		}
		return "", ""
	}
	return "", fmt.Sprintf("values of type %v cannot be compared", want.Type())
}

// unwrap follows interfaces and pointers, but leaves what is an error or a
// matrix through its pointer.
func unwrap(v reflect.Value) reflect.Value {
	for v.IsValid() && (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) {
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

func near(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol
}

func matrixDifference(got, want mat.Matrix, tol float64) (where, why string) {
	gr, gc := got.Dims()
	wr, wc := want.Dims()
	if gr != wr || gc != wc {
		return "", fmt.Sprintf("expected %d×%d, got %d×%d", wr, wc, gr, gc)
	}
	for i := range wr {
		for j := range wc {
			if !near(got.At(i, j), want.At(i, j), tol) {
				return fmt.Sprintf("(%d,%d)", i, j), fmt.Sprintf("expected %v, got %v", want.At(i, j), got.At(i, j))
			}
		}
	}
	return "", ""
}
