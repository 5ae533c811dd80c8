package datasets

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
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
		return fmt.Errorf("%w: %q stands for a missing value, which this column must not have", mlcore.ErrColumn, field)
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
			return notNumber(field, "whole number")
		}
		b.ints = append(b.ints, v)
	case series.Float:
		if absent {
			b.floats = append(b.floats, math.NaN())
			return nil
		}
		v, err := strconv.ParseFloat(view(field), 64)
		if err != nil && !math.IsInf(v, 0) {
			return notNumber(field, "number")
		}
		if v-v != 0 {
			return fmt.Errorf("%w: %q", mlcore.ErrNonFinite, field)
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

func notNumber(field []byte, want string) error {
	if f, err := strconv.ParseFloat(string(field), 64); err == nil && f-f != 0 {
		return fmt.Errorf("%w: %q", mlcore.ErrNonFinite, field)
	}
	return fmt.Errorf("%w: %q is not a %s", mlcore.ErrColumn, field, want)
}

// view is string(b) without the copy, for a callee that keeps nothing of it.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// fill sets the elements of a column of a frame, from row first on, to the values. An
// element copies another one that it is given, which saves an allocation for each number.
func (b *columnBuilder) fill(element func(row int) series.Element, first int) {
	switch b.Type {
	case series.Int:
		v, absent := new(number), b.absent
		for i, whole := range b.ints {
			v.whole, v.absent = whole, len(absent) > 0 && absent[0] == i
			if v.absent {
				absent = absent[1:]
			}
			element(first + i).Set(v)
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
		for i, code := range b.codes {
			element(first + i).Set(values[code])
		}
	}
}

// A number is as much of a gota element as another one looks at that is set to it.
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
	recent [256]int32 // 1 + the code of a text that came lately, by hash
}

// code returns the code of a text. Columns of text mostly have few values, each of
// which is then found where it was left, without the map.
func (d *dictionary) code(text []byte) int32 {
	place := &d.recent[hash(text)]
	if *place > 0 && d.values[*place-1] == string(text) {
		return *place - 1
	}
	code, known := d.codes[string(text)]
	if !known {
		if d.codes == nil {
			d.codes = make(map[string]int32)
		}
		code = int32(len(d.values))
		value := string(text)
		d.values = append(d.values, value)
		d.codes[value] = code
	}
	*place = code + 1
	return code
}

// hash mixes the length and the first and last eight bytes of a text.
func hash(text []byte) uint8 {
	h := uint64(0)
	if n := len(text); n >= 8 {
		h = binary.LittleEndian.Uint64(text) + 3*binary.LittleEndian.Uint64(text[n-8:])
	} else {
		for _, c := range text {
			h = h<<8 | uint64(c)
		}
	}
	return uint8((h + uint64(len(text))) * 0x9e3779b97f4a7c15 >> 56)
}
