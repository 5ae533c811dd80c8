package datasets

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// A layout says how the bytes of a table are laid out in lines and fields.
// Spaces around a field never count.
type layout struct {
	// comma separates fields; 0 stands for runs of spaces and tabs.
	comma byte
	// header says that the first line holds the column names.
	header bool
	// skipPrefix starts lines that are not data.
	skipPrefix string
	// trimSuffix is cut from the last field of each line.
	trimSuffix string
}

// eachLine calls f with the fields of each line that is not blank and its
// number, counted from 1. The fields are only valid during the call.
func (l layout) eachLine(data []byte, f func(line int, fields [][]byte) error) error {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if l.comma != 0 && bytes.IndexByte(data, '"') >= 0 {
		return l.eachQuoted(data, f)
	}
	var fields [][]byte
	for line := 1; len(data) > 0; line++ {
		row := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			row, data = data[:end], data[end+1:]
		} else {
			data = nil
		}
		row = trim(row)
		if len(row) == 0 || l.skipPrefix != "" && bytes.HasPrefix(row, []byte(l.skipPrefix)) {
			continue
		}
		row = bytes.TrimSuffix(row, []byte(l.trimSuffix))
		fields = fields[:0]
		if l.comma == 0 {
			fields = bytes.Fields(row)
		} else {
			for {
				end := bytes.IndexByte(row, l.comma)
				if end < 0 {
					break
				}
				fields = append(fields, trim(row[:end]))
				row = row[end+1:]
			}
			fields = append(fields, trim(row))
		}
		if err := f(line, fields); err != nil {
			return err
		}
	}
	return nil
}

// eachQuoted is eachLine for tables with quoted fields.
func (l layout) eachQuoted(data []byte, f func(line int, fields [][]byte) error) error {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma = rune(l.comma)
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	r.ReuseRecord = true
	var fields [][]byte
	for {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			return fmt.Errorf("line %d, character %d: %w: %v", parse.Line, parse.Column, mlcore.ErrShape, parse.Err)
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		fields = fields[:0]
		for _, s := range record {
			fields = append(fields, trim([]byte(s)))
		}
		if len(fields) == 1 && len(fields[0]) == 0 {
			continue
		}
		if err := f(line, fields); err != nil {
			return err
		}
	}
}

// trim is bytes.TrimSpace for ASCII, without its call in the common case.
func trim(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// A table collects the columns of a frame from one or more files.
type table struct {
	columns []columnBuilder
	rows    int
}

func newTable(columns []Column, rowsHint int) *table {
	t := &table{columns: make([]columnBuilder, len(columns))}
	for j, c := range columns {
		t.columns[j] = newColumnBuilder(c, rowsHint)
	}
	return t
}

// add appends the rows of a file. The columns of a file with a header may come
// in any order and among others; without one they must be all the columns in
// order.
func (t *table) add(data []byte, l layout) error {
	place := make([]int, len(t.columns))
	for j := range place {
		place[j] = j
	}
	width := len(t.columns)
	headed := !l.header
	before := t.rows
	err := l.eachLine(data, func(line int, fields [][]byte) error {
		if !headed {
			headed, width = true, len(fields)
			return t.readHeader(line, fields, place)
		}
		if len(fields) != width {
			return fmt.Errorf("line %d: %w: %d fields where there are %d columns", line, mlcore.ErrShape, len(fields), width)
		}
		for j := range t.columns {
			if err := t.columns[j].add(fields[place[j]]); err != nil {
				return fmt.Errorf("line %d, column %q (field %d): %w", line, t.columns[j].Name, place[j]+1, err)
			}
		}
		t.rows++
		return nil
	})
	if err != nil {
		return err
	}
	if !headed {
		return fmt.Errorf("%w: the file is empty", mlcore.ErrEmpty)
	}
	if t.rows == before {
		return fmt.Errorf("%w: no data rows", mlcore.ErrEmpty)
	}
	return nil
}

func (t *table) readHeader(line int, fields [][]byte, place []int) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = string(f)
	}
	for j, c := range t.columns {
		place[j] = slices.Index(names, c.Name)
		if place[j] < 0 {
			return fmt.Errorf("line %d: %w: no column %q; the header has %q", line, mlcore.ErrColumn, c.Name, names)
		}
		if again := slices.Index(names[place[j]+1:], c.Name); again >= 0 {
			return fmt.Errorf("line %d: %w: column %q is there twice, in fields %d and %d", line, mlcore.ErrColumn, c.Name, place[j]+1, place[j]+again+2)
		}
	}
	return nil
}

// frame makes the gota frame.
func (t *table) frame() (dataframe.DataFrame, error) {
	all := make([]series.Series, len(t.columns))
	for j := range t.columns {
		all[j] = t.columns[j].series()
	}
	df := dataframe.New(all...)
	return df, df.Err
}

// A columnBuilder collects the values of one column.
//
// gota boxes every value that it is given. A text column is therefore kept as
// codes of its distinct values: gota takes those few and multiplies them by
// itself, with no allocation for each row.
type columnBuilder struct {
	Column
	index  map[string]int // text: the code of each distinct value
	values []string       // text: the distinct values
	codes  []int          // text: the code of each row
	ints   []int
	floats []float64
	absent []int // numbers: the rows whose value is missing
}

func newColumnBuilder(c Column, rowsHint int) columnBuilder {
	b := columnBuilder{Column: c}
	switch c.Type {
	case series.Int:
		b.ints = make([]int, 0, rowsHint)
	case series.Float:
		b.floats = make([]float64, 0, rowsHint)
	default:
		b.index = make(map[string]int)
		b.codes = make([]int, 0, rowsHint)
	}
	return b
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
		code, known := b.index[string(field)]
		if !known {
			code = len(b.values)
			value := string(field)
			b.values = append(b.values, value)
			b.index[value] = code
		}
		b.codes = append(b.codes, code)
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

func (b *columnBuilder) series() series.Series {
	switch b.Type {
	case series.Int:
		if b.absent == nil {
			return series.New(b.ints, series.Int, b.Name)
		}
		values := make([]any, len(b.ints))
		for i, v := range b.ints {
			values[i] = v
		}
		for _, i := range b.absent {
			values[i] = nil
		}
		return series.New(values, series.Int, b.Name)
	case series.Float:
		return series.New(b.floats, series.Float, b.Name)
	}
	return series.New(b.values, series.String, b.Name).Subset(b.codes)
}
