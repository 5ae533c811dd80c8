package archive

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// jsonWriter writes an object with the fields in the order in which they come. A
// slice of numbers stands on one line, whatever else has lines of its own.
type jsonWriter struct {
	buf    []byte
	depth  int
	filled bool // the object or list at hand has something in it
}

func (*jsonWriter) named() {}

// next begins a field, or an element of a list where name is "".
func (w *jsonWriter) next(name string) {
	if w.filled {
		w.buf = append(w.buf, ',')
	}
	w.filled = true
	w.line()
	if name != "" {
		w.buf = append(w.buf, quoted(name)...)
		w.buf = append(w.buf, ": "...)
	}
}

func (w *jsonWriter) line() {
	w.buf = append(w.buf, '\n')
	w.buf = append(w.buf, strings.Repeat("  ", w.depth)...)
}

// nested writes what inside does between two brackets.
func (w *jsonWriter) nested(open, shut byte, inside func()) {
	w.buf = append(w.buf, open)
	w.depth++
	w.filled = false
	inside()
	w.depth--
	if w.filled {
		w.line()
	}
	w.buf = append(w.buf, shut)
	w.filled = true
}

func quoted(s string) []byte {
	b, _ := json.Marshal(s)
	return b
}

// number is the shortest decimal that reads back as v; JSON has no word for NaN
// and the infinities, so they are strings.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.Quote(s)
	}
	return s
}

func writeOne[T any](w *jsonWriter, name string, v T, text func(T) string) {
	w.next(name)
	w.buf = append(w.buf, text(v)...)
}

func writeAll[T any](w *jsonWriter, name string, v []T, text func(T) string) {
	w.next(name)
	w.buf = append(w.buf, '[')
	for i, x := range v {
		if i > 0 {
			w.buf = append(w.buf, ", "...)
		}
		w.buf = append(w.buf, text(x)...)
	}
	w.buf = append(w.buf, ']')
}

func formatUint(v uint64) string   { return strconv.FormatUint(v, 10) }
func formatInt32(v int32) string   { return strconv.Itoa(int(v)) }
func formatText(v string) string   { return string(quoted(v)) }
func formatBase64(v []byte) string { return `"` + base64.StdEncoding.EncodeToString(v) + `"` }

func (w *jsonWriter) uint64(name string, v *uint64)   { writeOne(w, name, *v, formatUint) }
func (w *jsonWriter) int(name string, v *int)         { writeOne(w, name, *v, strconv.Itoa) }
func (w *jsonWriter) float64(name string, v *float64) { writeOne(w, name, *v, number) }
func (w *jsonWriter) bool(name string, v *bool)       { writeOne(w, name, *v, strconv.FormatBool) }
func (w *jsonWriter) string(name string, v *string)   { writeOne(w, name, *v, formatText) }
func (w *jsonWriter) bytes(name string, v *[]byte)    { writeOne(w, name, *v, formatBase64) }

func (w *jsonWriter) ints(name string, v *[]int)         { writeAll(w, name, *v, strconv.Itoa) }
func (w *jsonWriter) int32s(name string, v *[]int32)     { writeAll(w, name, *v, formatInt32) }
func (w *jsonWriter) uint64s(name string, v *[]uint64)   { writeAll(w, name, *v, formatUint) }
func (w *jsonWriter) float64s(name string, v *[]float64) { writeAll(w, name, *v, number) }
func (w *jsonWriter) bools(name string, v *[]bool)       { writeAll(w, name, *v, strconv.FormatBool) }
func (w *jsonWriter) strings(name string, v *[]string)   { writeAll(w, name, *v, formatText) }

func (w *jsonWriter) group(name string, fields func()) {
	w.next(name)
	w.nested('{', '}', fields)
}

func (w *jsonWriter) list(name string, n *int, fields func(i int)) {
	w.next(name)
	w.nested('[', ']', func() {
		for i := range *n {
			w.next("")
			w.nested('{', '}', func() { fields(i) })
		}
	})
}
