package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// A columnBuilder collects the values of one column. Texts are kept as codes of their
// distinct values.
type columnBuilder struct {
	Column
	texts  dictionary
	codes  []int32 // of the texts
	ints   []int
	floats []float64
	absent []int // the rows of ints whose value is missing
}

// grow makes room for n more values.
func (b *columnBuilder) grow(n int) {
	switch b.Type {
	case series.Int:
		b.ints = slices.Grow(b.ints, n)
	case series.Float:
		b.floats = slices.Grow(b.floats, n)
	default:
		b.codes = slices.Grow(b.codes, n)
	}
}

// absentText is how gota is told that a text is missing.
const absentText = "NaN"

func (b *columnBuilder) add(field []byte) error {
	absent := isAbsent(field)
	if absent && !b.Missing {
		return fmt.Errorf("%w: %s stands for a missing value, which this column must not have", mlcore.ErrColumn, quoted(field))
	}
	switch b.Type {
	case series.Int:
		if absent {
			b.absent = append(b.absent, len(b.ints))
			b.ints = append(b.ints, 0)
			return nil
		}
		v, err := strconv.Atoi(view(field))
		if err != nil {
			return b.notNumber(field, "whole number")
		}
		b.ints = append(b.ints, v)
	case series.Float:
		if absent {
			b.floats = append(b.floats, math.NaN())
			return nil
		}
		if v, _, ok := plainDecimal(field); ok {
			b.floats = append(b.floats, v)
			return nil
		}
		v, err := strconv.ParseFloat(view(field), 64)
		if err != nil && !math.IsInf(v, 0) || bytes.ContainsAny(field, "_xX") {
			return b.notNumber(field, "number")
		}
		if v-v != 0 {
			return b.notFinite(field)
		}
		b.floats = append(b.floats, v)
	default:
		if absent {
			field = []byte(absentText)
		}
		b.codes = append(b.codes, b.texts.code(field))
	}
	return nil
}

// isAbsent reports the ways in which files write a missing value.
func isAbsent(field []byte) bool {
	switch len(field) {
	case 0:
		return true
	case 1:
		return field[0] == '?'
	case 2:
		return field[0] == 'N' && field[1] == 'A'
	}
	return false
}

func (c Column) notNumber(field []byte, want string) error {
	if f, err := strconv.ParseFloat(string(field), 64); err == nil && f-f != 0 {
		return c.notFinite(field)
	}
	return fmt.Errorf("%w: %s is not a %s", mlcore.ErrColumn, quoted(field), want)
}

// notFinite says how a missing value is written, which is what NaN mostly stands for.
func (c Column) notFinite(field []byte) error {
	set := ""
	if !c.Missing {
		set = ", and set Column.Missing"
	}
	return fmt.Errorf("%w: %s; where a value is missing leave the field empty or write NA or ?%s", mlcore.ErrNonFinite, quoted(field), set)
}

// view is string(b) without the copy, for a callee that keeps nothing of it.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// usual returns a column of one row: a value that is likely to be frequent.
func (b *columnBuilder) usual() series.Series {
	if b.Type != series.String || len(b.codes) == 0 {
		return series.New([]int{0}, b.Type, b.Name)
	}
	most, counts := int32(0), make([]int32, len(b.texts.values))
	for _, code := range b.codes {
		if counts[code]++; counts[code] > counts[most] {
			most = code
		}
	}
	return series.New([]string{b.texts.values[most]}, b.Type, b.Name)
}

// fill sets the elements of a column of a frame, from row first on, to the values where
// they are not that already: they all have the usual value. An element copies another
// one that it is given, which saves an allocation for each number.
func (b *columnBuilder) fill(element func(row int) series.Element, first int, usual series.Series) {
	switch b.Type {
	case series.Int:
		v, absent := new(number), b.absent
		for i, whole := range b.ints {
			v.whole, v.absent = whole, len(absent) > 0 && absent[0] == i
			if v.absent {
				absent = absent[1:]
			}
			if whole != 0 || v.absent {
				element(first + i).Set(v)
			}
		}
	case series.Float:
		v := new(number)
		for i, real := range b.floats {
			v.real = real
			element(first + i).Set(v)
		}
	default:
		values := make([]any, len(b.texts.values))
		for code, value := range b.texts.values {
			values[code] = value
		}
		same, found := b.texts.codes[usual.Elem(0).String()]
		for i, code := range b.codes {
			if !found || code != same {
				element(first + i).Set(values[code])
			}
		}
	}
}

// joined puts the values of the parts of a column together.
func joined(c Column, parts []*columnBuilder) frame.Column {
	rows := 0
	for _, b := range parts {
		rows += len(b.ints) + len(b.floats) + len(b.codes)
	}
	out := frame.Column{Name: c.Name, Whole: c.Type == series.Int}
	if c.Type == series.String {
		out.Codes = make([]int32, 0, rows)
	} else {
		out.Floats = make([]float64, 0, rows)
	}
	var texts dictionary
	for _, b := range parts {
		switch c.Type {
		case series.Int:
			first := len(out.Floats)
			for _, v := range b.ints {
				out.Floats = append(out.Floats, float64(v))
			}
			for _, i := range b.absent {
				out.Floats[first+i] = math.NaN()
			}
		case series.Float:
			out.Floats = append(out.Floats, b.floats...)
		default:
			texts.adopt(b.codes, &b.texts)
			out.Codes = append(out.Codes, b.codes...)
		}
	}
	out.Dictionary = texts.values
	return out
}

// A number has what gota reads of an element when it sets another one to it.
type number struct {
	series.Element
	whole  int
	real   float64
	absent bool
}

func (v *number) Int() (int, error) {
	if v.absent {
		return 0, mlcore.ErrColumn
	}
	return v.whole, nil
}

func (v *number) Float() float64 { return v.real }

// A dictionary numbers distinct texts in the order in which they come.
type dictionary struct {
	values []string
	codes  map[string]int32
	recent *[256]known // by hash
}

// A known text is one that came lately. Up to 16 bytes it is its ends.
type known struct {
	ends
	code int32
}

// ends are the length of a text and its first and last bytes.
type ends struct {
	first, last uint64
	length      int
}

func endsOf(text []byte) ends {
	n := len(text)
	switch {
	case n >= 8:
		return ends{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[n-8:]), n}
	case n >= 4:
		return ends{uint64(binary.LittleEndian.Uint32(text)), uint64(binary.LittleEndian.Uint32(text[n-4:])), n}
	}
	e := ends{length: n}
	for _, c := range text {
		e.first = e.first<<8 | uint64(c)
	}
	return e
}

func (e *ends) hash() uint8 {
	return uint8((e.first + 3*e.last + uint64(e.length)) * 0x9e3779b97f4a7c15 >> 56)
}

// code returns the code of a text, of which there is at least one byte. Columns of text
// mostly have few values, each of which is then found where it was left, without the
// map.
func (d *dictionary) code(text []byte) int32 {
	if d.recent == nil {
		d.recent = new([256]known)
	}
	e := endsOf(text)
	place := &d.recent[e.hash()]
	if place.ends == e && (e.length <= 16 || d.values[place.code] == string(text)) {
		return place.code
	}
	code, found := d.codes[string(text)]
	if !found {
		code = d.add(string(text))
	}
	*place = known{e, code}
	return code
}

// add gives a text that is new the next code.
func (d *dictionary) add(text string) int32 {
	if d.codes == nil {
		d.codes = make(map[string]int32)
	}
	code := int32(len(d.values))
	d.values = append(d.values, text)
	d.codes[text] = code
	return code
}

// adopt replaces codes of another dictionary by those of this one, to which it adds what is
// new. Negative codes stay.
func (d *dictionary) adopt(codes []int32, of *dictionary) {
	own := make([]int32, len(of.values))
	for code, value := range of.values {
		known, found := d.codes[value]
		if !found {
			known = d.add(value)
		}
		own[code] = known
	}
	for i, code := range codes {
		if code >= 0 {
			codes[i] = own[code]
		}
	}
}
