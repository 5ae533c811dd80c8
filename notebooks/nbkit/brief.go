package nbkit

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// briefLength is about how much of a value a message shows.
const briefLength = 160

// brief writes a value on one line of bearable length, numbers with so many significant
// digits; 0: six.
func brief(v any, digits int) string { return briefValue(reflect.ValueOf(v), digits) }

func briefValue(v reflect.Value, digits int) string {
	if digits == 0 {
		digits = 6
	}
	b := briefer{digits: digits}
	b.value(v, 0)
	return cut(b.String())
}

// cut keeps the start of a long text.
func cut(s string) string {
	if r := []rune(s); len(r) > briefLength {
		s = string(r[:briefLength]) + "…"
	}
	return s
}

// A briefer writes values as messages show them, and stops when nobody will see more.
type briefer struct {
	strings.Builder
	digits int
}

func (b *briefer) full() bool { return b.Len() > 4*briefLength }

// value writes a value: structs with the names of their fields, maps in the order of
// their keys, matrices row by row.
func (b *briefer) value(v reflect.Value, depth int) {
	v = unwrap(v)
	if depth > 100 || b.full() {
		return
	}
	if !v.IsValid() {
		b.WriteString("nothing (nil)")
		return
	}
	if v.CanInterface() {
		switch x := v.Interface().(type) {
		case error:
			b.WriteString("error " + strconv.Quote(cut(x.Error())))
			return
		case mat.Matrix:
			b.matrix(x)
			return
		}
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		b.WriteString(inDigits(v.Float(), b.digits))
	case reflect.String:
		s := v.String()
		b.WriteString(strconv.Quote(s[:min(len(s), 4*briefLength)]))
	case reflect.Slice, reflect.Array:
		b.list("[", "]", v.Len(), " ", func(i int) { b.value(v.Index(i), depth+1) })
	case reflect.Map:
		keys := sortedKeys(v)
		b.list("map[", "]", len(keys), " ", func(i int) {
			b.value(keys[i], depth+1)
			b.WriteString(": ")
			b.value(v.MapIndex(keys[i]), depth+1)
		})
	case reflect.Struct:
		b.list("{", "}", v.NumField(), ", ", func(i int) {
			b.WriteString(v.Type().Field(i).Name + ": ")
			b.value(v.Field(i), depth+1)
		})
	default:
		fmt.Fprint(b, v)
	}
}

func (b *briefer) list(open, shut string, n int, between string, element func(i int)) {
	b.WriteString(open)
	for i := range n {
		if i > 0 {
			b.WriteString(between)
		}
		if element(i); b.full() {
			return
		}
	}
	b.WriteString(shut)
}

func (b *briefer) matrix(m mat.Matrix) {
	r, c := m.Dims()
	b.list("[", "]", r, "; ", func(i int) {
		b.list("", "", c, " ", func(j int) { b.WriteString(inDigits(m.At(i, j), b.digits)) })
	})
}

func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return keys
}

// apart is the least number of significant digits, at least six, with which two numbers
// do not look alike.
func apart(a, b float64) int {
	for digits := 6; digits < 17; digits++ {
		if inDigits(a, digits) != inDigits(b, digits) {
			return digits
		}
	}
	return 17
}

// inDigits writes a number with so many significant digits, without zeros at the end,
// and with a power of ten only where it is very large or very small.
func inDigits(x float64, digits int) string {
	size := math.Abs(x)
	shortest := strconv.FormatFloat(x, 'g', -1, 64)
	switch {
	case x == math.Trunc(x) && size < 1e15:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case digits >= 17 || math.IsNaN(x) || math.IsInf(x, 0):
		return shortest
	}
	text := strconv.FormatFloat(x, 'g', digits, 64)
	if mantissa, power, scientific := strings.Cut(text, "e"); scientific {
		if size >= 1e-4 && size < 1e15 {
			return strconv.FormatFloat(x, 'f', 0, 64)
		}
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return mantissa + "e" + power
	}
	return text
}
