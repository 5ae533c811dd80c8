package judge

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A Kind is what sort of data a [Value] is.
type Kind uint8

const (
	Nothing Kind = iota // nil, also below pointers
	Bool
	Int
	Uint
	Float
	Complex
	String
	Slice
	Array
	Map
	Struct
	Other // what cannot be compared: a function, a channel
	Cut   // what was not taken, because there was too much
)

// A Value is a Go value as data. Interfaces and pointers are followed. It holds all that
// comparing and showing need, so that nothing of the value's own code is run for these.
type Value struct {
	Kind Kind   `json:"k,omitempty"`
	Type string `json:"t,omitempty"` // "[]float64"
	// Bits are those of a number or truth value: an int64's, a uint64's or a float64's.
	Bits uint64 `json:"b,omitempty"`
	// Text is a string, or how Go prints the value where that is not by its bits.
	Text  string  `json:"s,omitempty"`
	Items []Value `json:"i,omitempty"` // elements, fields, or the values of a map
	More  *More   `json:"m,omitempty"`
}

// More is what few values have.
type More struct {
	ID    string   `json:"id,omitempty"` // of a named type: with the path of its package
	Names []string `json:"n,omitempty"`  // of a struct's fields, or a map's keys as Go prints them
	Keys  []Value  `json:"k,omitempty"`  // of a map, in the order of Names
	Key   string   `json:"kt,omitempty"` // the type of a map's keys
	Imag  uint64   `json:"c,omitempty"`  // the imaginary part's bits
	// Errors are an error and those that it wraps, and Matrix is a matrix row by row, where
	// the value is one.
	Errors []Error `json:"e,omitempty"`
	Matrix *Matrix `json:"x,omitempty"`
}

// An Error is known by its type and its text.
type Error struct{ Type, Text string }

// A Matrix is the elements of a gonum matrix, as bits of float64, row by row.
type Matrix struct {
	Rows, Cols int
	Data       []uint64
}

// most bounds how much is taken of a value, in numbers, texts and fields: far more than
// any exercise asks for.
const most = 1 << 18

// deepest bounds how deep values lie in each other: a value may hold itself.
const deepest = 100

// Of takes a value as data. It calls the value's own methods where it is an error, a
// matrix or has a way to print itself, and may panic or wait as they do.
func Of(v any) Value {
	t := taker{left: most}
	return t.take(reflect.ValueOf(v), 0)
}

type taker struct{ left int }

var (
	matrixType = reflect.TypeFor[mat.Matrix]()
	errorType  = reflect.TypeFor[error]()
)

func (t *taker) take(v reflect.Value, depth int) Value {
	if t.left--; t.left < 0 || depth > deepest {
		return Value{Kind: Cut}
	}
	var more More
	v = t.follow(v, &more)
	if !v.IsValid() {
		return Value{}
	}
	d := Value{Type: t.text(v.Type().String())}
	if len(more.Errors) == 0 && more.Matrix == nil {
		t.speak(v, &more)
	}
	if name := v.Type().Name(); name != "" && v.Type().PkgPath() != "" {
		more.ID = t.text(v.Type().PkgPath() + "." + name)
	}
	switch {
	case v.CanInt():
		d.Kind, d.Bits = Int, uint64(v.Int())
		t.print(&d, v)
	case v.CanUint():
		d.Kind, d.Bits = Uint, v.Uint()
		t.print(&d, v)
	case v.CanFloat():
		d.Kind, d.Bits = Float, math.Float64bits(v.Float())
	case v.CanComplex():
		c := v.Complex()
		d.Kind, d.Bits, d.Text = Complex, math.Float64bits(real(c)), fmt.Sprint(v)
		more.Imag = math.Float64bits(imag(c))
	default:
		t.rest(&d, v, &more, depth)
	}
	if t.left < 0 && more.Matrix == nil { // of a matrix that is too large, the size is told
		return Value{Kind: Cut}
	}
	if more.ID != "" || more.Names != nil || more.Key != "" || more.Imag != 0 || more.Errors != nil || more.Matrix != nil {
		d.More = &more
	}
	return d
}

// rest takes what is no number.
func (t *taker) rest(d *Value, v reflect.Value, more *More, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		d.Kind = Bool
		if v.Bool() {
			d.Bits = 1
		}
		t.print(d, v)
	case reflect.String:
		d.Kind, d.Text = String, t.text(v.String())
	case reflect.Slice, reflect.Array:
		d.Kind = Slice
		if v.Kind() == reflect.Array {
			d.Kind = Array
		}
		d.Items = make([]Value, 0, max(0, min(v.Len(), t.left)))
		for i := range v.Len() {
			d.Items = append(d.Items, t.take(v.Index(i), depth+1))
			if t.left < 0 {
				return
			}
		}
	case reflect.Map:
		if v.Len() > t.left {
			t.left = -1
			return
		}
		d.Kind, more.Key = Map, t.text(v.Type().Key().String())
		for _, e := range entries(v) {
			more.Names = append(more.Names, t.text(clip(e.name)))
			more.Keys = append(more.Keys, t.take(e.key, depth+1))
			d.Items = append(d.Items, t.take(e.value, depth+1))
		}
	case reflect.Struct:
		d.Kind = Struct
		if more.Matrix != nil && v.Type().PkgPath() != "main" {
			return // its fields say the same
		}
		for i := range v.NumField() {
			more.Names = append(more.Names, t.text(v.Type().Field(i).Name))
			d.Items = append(d.Items, t.take(v.Field(i), depth+1))
		}
	default:
		d.Kind = Other
		d.Text = clip(fmt.Sprint(v))
	}
}

// print takes how Go prints a value whose type says so itself.
func (t *taker) print(d *Value, v reflect.Value) {
	if v.Type().NumMethod() > 0 {
		d.Text = t.text(clip(fmt.Sprint(v)))
	}
}

// text is a text, which counts by its length.
func (t *taker) text(s string) string {
	t.left -= len(s) / 16
	return s
}

// follow goes through interfaces and pointers, and takes on the way what is an error or a
// matrix. A pointer may point to itself; nobody means more than a few.
func (t *taker) follow(v reflect.Value, more *More) reflect.Value {
	for n := 0; n < deepest && v.IsValid() && (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer); n++ {
		if v.IsNil() {
			return reflect.Value{}
		}
		if v.Kind() == reflect.Pointer {
			t.speak(v, more)
		}
		v = v.Elem()
	}
	return v
}

// speak takes what a value says of itself as an error or a matrix.
func (t *taker) speak(v reflect.Value, more *More) {
	if !v.CanInterface() {
		return
	}
	if v.Type().Implements(errorType) && more.Errors == nil {
		more.Errors = t.wrapped(nil, v.Interface().(error))
	}
	if v.Type().Implements(matrixType) && more.Matrix == nil {
		m := v.Interface().(mat.Matrix)
		x := &Matrix{}
		if x.Rows, x.Cols = m.Dims(); x.Rows < 0 || x.Cols < 0 || x.Cols > 0 && x.Rows > t.left/x.Cols {
			t.left = -1
			more.Matrix = x // without elements it equals none
			return
		}
		t.left -= x.Rows * x.Cols
		for i := range x.Rows {
			for j := range x.Cols {
				x.Data = append(x.Data, math.Float64bits(m.At(i, j)))
			}
		}
		more.Matrix = x
	}
}

// wrapped lists an error and those below it.
func (t *taker) wrapped(list []Error, err error) []Error {
	if t.left--; t.left < 0 || len(list) > deepest || err == nil {
		return list
	}
	list = append(list, Error{t.text(fmt.Sprintf("%T", err)), t.text(clip(err.Error()))})
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		list = t.wrapped(list, e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, below := range e.Unwrap() {
			list = t.wrapped(list, below)
		}
	}
	return list
}

// clip bounds what is kept of a text that is only shown, or that names an error.
func clip(s string) string {
	if len(s) > 8*briefLength {
		s = strings.ToValidUTF8(s[:8*briefLength], "")
	}
	return s
}

type entry struct {
	name       string // how Go prints the key
	key, value reflect.Value
}

// entries are those of a map in the order of their names.
func entries(m reflect.Value) []entry {
	var all []entry
	for k, v := range m.Seq2() { // MapIndex does not find NaN
		all = append(all, entry{fmt.Sprint(k), k, v})
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return all
}

// sound is whether a value that came from elsewhere is one that [Of] could have made, as far as
// those rely on it who read it.
func (v Value) sound() bool {
	more := v.more()
	if v.Kind == Struct && len(more.Names) != len(v.Items) || v.Kind == Map && (len(more.Names) != len(v.Items) || len(more.Keys) != len(v.Items)) {
		return false
	}
	if m := more.Matrix; m != nil && (m.Rows < 0 || m.Cols < 0 || m.Rows > math.MaxInt32 || m.Cols > math.MaxInt32) {
		return false
	}
	unsound := func(v Value) bool { return !v.sound() }
	return v.Kind <= Cut && !slices.ContainsFunc(v.Items, unsound) && !slices.ContainsFunc(more.Keys, unsound)
}

// data is a value as text, the same for the same key of a map in two programs, whatever methods
// its type has in either.
func (v Value) data() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s %d ", v.Kind, v.id(), v.Bits)
	if v.Kind == String || v.Kind == Other {
		b.WriteString(strconv.Quote(v.Text))
	}
	for _, item := range v.Items {
		b.WriteString(item.data())
	}
	return fmt.Sprintf("%d:%s%d", b.Len(), &b, v.more().Imag)
}

// id is which type it is: other packages may have one of the same name.
func (v Value) id() string {
	if v.More != nil && v.More.ID != "" {
		return v.More.ID
	}
	return v.Type
}

func (v Value) more() More {
	if v.More != nil {
		return *v.More
	}
	return More{}
}

// number is the value of a number.
func (v Value) number() (float64, bool) {
	switch v.Kind {
	case Int:
		return float64(int64(v.Bits)), true
	case Uint:
		return float64(v.Bits), true
	case Float:
		return math.Float64frombits(v.Bits), true
	}
	return 0, false
}

// whole is whether a value is of an integer type.
func (v Value) whole() bool { return v.Kind == Int || v.Kind == Uint }

// sameWhole compares whole numbers without rounding them to a float64.
func sameWhole(a, b Value) bool {
	if a.Kind == b.Kind {
		return a.Bits == b.Bits
	}
	return a.Bits == b.Bits && a.Bits <= math.MaxInt64
}

// empty is whether a value is nil, or a list or map that might as well be.
func (v Value) empty() bool {
	return v.Kind == Nothing || (v.Kind == Slice || v.Kind == Map) && len(v.Items) == 0
}

// zero is whether a value is the zero value of its type.
func (v Value) zero() bool {
	switch v.Kind {
	case Array, Struct:
		return !slices.ContainsFunc(v.Items, func(item Value) bool { return !item.zero() })
	case String:
		return v.Text == ""
	case Bool, Int, Uint, Float, Complex:
		return v.Bits == 0 && v.more().Imag == 0
	}
	return v.empty()
}

// printed is how Go prints what is neither list nor text nor float.
func (v Value) printed() string {
	switch {
	case v.Text != "":
		return v.Text
	case v.Kind == Int:
		return strconv.FormatInt(int64(v.Bits), 10)
	case v.Kind == Uint:
		return strconv.FormatUint(v.Bits, 10)
	case v.Kind == Bool:
		return strconv.FormatBool(v.Bits == 1)
	}
	return v.Type
}
