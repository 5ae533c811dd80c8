package datasets

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"unsafe"

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

// rows opens the rows of a table.
func (l layout) rows(data []byte) rowReader {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if l.comma == 0 || bytes.IndexByte(data, '"') < 0 {
		// Blank lines at the end are not counted either.
		return &plainRows{layout: l, data: bytes.TrimRight(data, " \t\r\n")}
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma = rune(l.comma)
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	r.ReuseRecord = true
	return &quotedRows{layout: l, csv: r, data: data}
}

// A rowReader goes through the lines of a table that are not blank.
type rowReader interface {
	// next returns the fields of the next line, which are valid until it is called
	// again, and the line's number, counted from 1. The error is io.EOF at the end.
	next() (line int, fields [][]byte, err error)
	// split returns readers of what is left, in up to n parts of at least size bytes.
	split(n, size int) []rowReader
	// most is a bound, or a guess, of how many rows of so many fields are left.
	most(fields int) int
}

// plainRows reads a table without quotes.
type plainRows struct {
	layout
	data   []byte // what is left
	line   int    // how many lines have been read
	fields [][]byte
}

func (r *plainRows) next() (int, [][]byte, error) {
	for len(r.data) > 0 {
		row := r.data
		if end := bytes.IndexByte(row, '\n'); end >= 0 {
			row, r.data = row[:end], row[end+1:]
		} else {
			r.data = nil
		}
		r.line++
		row = trim(row)
		if len(row) == 0 || r.skipPrefix != "" && bytes.HasPrefix(row, []byte(r.skipPrefix)) {
			continue
		}
		r.cut(bytes.TrimSuffix(row, []byte(r.trimSuffix)))
		return r.line, r.fields, nil
	}
	return 0, nil, io.EOF
}

// cut puts the fields of a line in r.fields.
func (r *plainRows) cut(row []byte) {
	if r.comma == 0 {
		r.fields = bytes.Fields(row)
		return
	}
	r.fields = r.fields[:0]
	const ones = 0x0101010101010101
	start, at, commas := 0, 0, ones*uint64(r.comma)
	for ; at+8 <= len(row); at += 8 {
		// Eight bytes at a time: those that are the comma have their top bit set.
		v := binary.LittleEndian.Uint64(row[at:]) ^ commas
		for found := ^((v&(0x7f*ones) + 0x7f*ones) | v | 0x7f*ones); found != 0; found &= found - 1 {
			end := at + bits.TrailingZeros64(found)/8
			r.fields = append(r.fields, trim(row[start:end]))
			start = end + 1
		}
	}
	for ; at < len(row); at++ {
		if row[at] == r.comma {
			r.fields = append(r.fields, trim(row[start:at]))
			start = at + 1
		}
	}
	r.fields = append(r.fields, trim(row[start:]))
}

func (r *plainRows) split(n, size int) []rowReader {
	var parts []rowReader
	line, data := r.line, r.data
	for n = min(n, len(data)/size); n > 1; n-- {
		end := len(data) / n
		if newline := bytes.IndexByte(data[end:], '\n'); newline >= 0 {
			end += newline + 1
		} else {
			end = len(data)
		}
		parts = append(parts, &plainRows{layout: r.layout, data: data[:end], line: line})
		line += bytes.Count(data[:end], []byte{'\n'})
		data = data[end:]
	}
	return append(parts, &plainRows{layout: r.layout, data: data, line: line})
}

func (r *plainRows) most(fields int) int { return r.mostRows(r.data, fields) }

// mostRows is a bound of how many rows of so many fields there are in the data. Blank
// lines are none: they have no commas, and a row of one field has a byte before its end.
func (l layout) mostRows(data []byte, fields int) int {
	if l.comma == 0 || fields == 1 {
		return min(countLines(data), (len(data)+1)/max(fields, 2))
	}
	return min(countLines(data), bytes.Count(data, []byte{l.comma})/(fields-1))
}

func countLines(data []byte) int {
	n := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// quotedRows reads a table with quoted fields.
type quotedRows struct {
	layout
	csv    *csv.Reader
	data   []byte // all of it
	fields [][]byte
}

func (r *quotedRows) next() (int, [][]byte, error) {
	for {
		record, err := r.csv.Read()
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			return 0, nil, misquoted(parse)
		}
		if err != nil {
			return 0, nil, err
		}
		line, _ := r.csv.FieldPos(0)
		r.fields = r.fields[:0]
		for _, s := range record {
			r.fields = append(r.fields, trim(unsafe.Slice(unsafe.StringData(s), len(s))))
		}
		if len(r.fields) > 1 || len(r.fields[0]) > 0 {
			return line, r.fields, nil
		}
	}
}

// misquoted says where the row begins too: a quote that is not closed takes in all lines up
// to the next one or to the end.
func misquoted(e *csv.ParseError) error {
	const advice = "commas separate the fields, and a quote in a quoted field is doubled"
	if e.StartLine == e.Line {
		return fmt.Errorf("line %d, character %d: %w: %v; %s", e.Line, e.Column, mlcore.ErrShape, e.Err, advice)
	}
	return fmt.Errorf("line %d: %w: a field with a quote begins here and goes on to line %d, character %d: %v; %s", e.StartLine, mlcore.ErrShape, e.Line, e.Column, e.Err, advice)
}

// split leaves the rows together: a quote may be open at any place.
func (r *quotedRows) split(int, int) []rowReader { return []rowReader{r} }

func (r *quotedRows) most(fields int) int {
	return r.mostRows(r.data[r.csv.InputOffset():], fields)
}

// trim cuts the spaces from both ends, of which there are mostly none.
func trim(b []byte) []byte {
	if len(b) > 0 && b[0] > ' ' && b[len(b)-1] > ' ' {
		return b
	}
	return trimSpaces(b)
}

func trimSpaces(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
