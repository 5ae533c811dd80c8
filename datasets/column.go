package datasets

import (
	"fmt"
	"hash/maphash"
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

// A dictionary numbers distinct texts in the order in which they come: a map from text to
// code that does with fewer steps than Go's, as it is only ever added to.
type dictionary struct {
	values []string
	slots  []int32 // 1 + a code, 0 where none; the length is a power of 2
}

var textSeed = maphash.MakeSeed()

// code returns the code of a text.
func (d *dictionary) code(text []byte) int32 {
	if 2*len(d.values) >= len(d.slots) {
		d.grow()
	}
	slot := d.find(text)
	if *slot == 0 {
		d.values = append(d.values, string(text))
		*slot = int32(len(d.values))
	}
	return *slot - 1
}

// find returns the slot of a text or, where it is new, the one that it is to have.
func (d *dictionary) find(text []byte) *int32 {
	mask := uint64(len(d.slots) - 1)
	for at := maphash.Bytes(textSeed, text); ; at++ {
		slot := &d.slots[at&mask]
		if *slot == 0 || d.values[*slot-1] == string(text) {
			return slot
		}
	}
}

func (d *dictionary) grow() {
	d.slots = make([]int32, max(16, 2*len(d.slots)))
	for code, value := range d.values {
		*d.find([]byte(value)) = int32(code + 1)
	}
}
