package judge

import (
	"math"
	"strconv"
	"strings"
)

// briefLength is about how much of a value a message shows.
const briefLength = 160

// brief writes a value on one line of bearable length, numbers with so many significant
// digits; 0: six.
func (v Value) brief(digits int) string {
	if digits == 0 {
		digits = 6
	}
	b := briefer{digits: digits}
	b.value(v)
	return Short(b.String())
}

// Short keeps the start of a long text.
func Short(s string) string {
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
func (b *briefer) value(v Value) {
	if b.full() {
		return
	}
	more := v.more()
	switch {
	case len(more.Errors) > 0:
		b.WriteString("error " + strconv.Quote(Short(more.Errors[0].Text)))
		return
	case more.Matrix != nil:
		b.matrix(more.Matrix)
		return
	}
	switch v.Kind {
	case Nothing:
		b.WriteString("nothing (nil)")
	case Cut:
		b.WriteString("…")
	case Float:
		b.WriteString(inDigits(math.Float64frombits(v.Bits), b.digits))
	case String:
		b.WriteString(strconv.Quote(v.Text[:min(len(v.Text), 4*briefLength)]))
	case Slice, Array:
		b.list("[", "]", len(v.Items), " ", func(i int) { b.value(v.Items[i]) })
	case Map:
		b.list("map[", "]", len(v.Items), " ", func(i int) {
			b.value(more.Keys[i])
			b.WriteString(": ")
			b.value(v.Items[i])
		})
	case Struct:
		b.list("{", "}", len(v.Items), ", ", func(i int) {
			b.WriteString(more.Names[i] + ": ")
			b.value(v.Items[i])
		})
	default:
		b.WriteString(v.printed())
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

func (b *briefer) matrix(m *Matrix) {
	if len(m.Data) != m.Rows*m.Cols {
		b.WriteString("…")
		return
	}
	b.list("[", "]", m.Rows, "; ", func(i int) {
		b.list("", "", m.Cols, " ", func(j int) { b.WriteString(inDigits(math.Float64frombits(m.Data[i*m.Cols+j]), b.digits)) })
	})
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
