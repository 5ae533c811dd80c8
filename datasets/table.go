package datasets

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// A table collects the rows of a frame from one or more files.
type table struct {
	columns []Column
	files   []file
	parts   []*part // in the order of the rows
	fields  int     // the most that the files have room for
}

// A file is one of a table.
type file struct {
	name  string // for errors, or ""
	width int    // the number of fields in a line
	place []int  // column j is field place[j]
	parts []*part
}

func (f *file) wrap(err error) error {
	if f.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

// A part is some rows of a file, which one goroutine reads.
type part struct {
	reader  rowReader
	columns []columnBuilder
	rows    int   // that have been read
	err     error // of the first row that has one, which ends the reading
}

func (t *table) newPart(r rowReader) *part {
	p := &part{reader: r, columns: make([]columnBuilder, len(t.columns))}
	for j, c := range t.columns {
		p.columns[j].Column = c
	}
	return p
}

// mostReserved is for how many rows a part makes room before it has read them: lines may
// be blank.
const mostReserved = 1 << 20

// partBytes is the least length of a part of a file that is worth a goroutine.
const partBytes = 1 << 17

// add appends the rows of a file, which are read later on: long files in several parts
// at once. The columns of a file with a header may come in any order and among others;
// without one they must be all the columns in order.
func (t *table) add(name string, data []byte, l layout) error {
	f := file{name: name, width: len(t.columns), place: make([]int, len(t.columns))}
	for j := range f.place {
		f.place[j] = j
	}
	rows := l.rows(data)
	if l.header {
		line, names, err := readNames(rows)
		if err != nil {
			return f.wrap(err)
		}
		f.width = len(names)
		if err := t.place(line, names, f.place); err != nil {
			return f.wrap(err)
		}
	}
	// More parts than processors, which have other things to do too.
	for _, r := range rows.split(2*runtime.GOMAXPROCS(0), partBytes) {
		f.parts = append(f.parts, t.newPart(r))
	}
	t.files, t.parts = append(t.files, f), append(t.parts, f.parts...)
	t.fields += len(data) + 1 // each ends with a comma or a line
	return nil
}

// readNames reads the names of the columns from the first line that is not blank.
func readNames(rows rowReader) (line int, names []string, err error) {
	line, fields, err := rows.next()
	if err == io.EOF {
		err = fmt.Errorf("%w: the file is empty", mlcore.ErrEmpty)
	}
	for _, f := range fields {
		names = append(names, string(f))
	}
	hasCR := func(name string) bool { return strings.Contains(name, "\r") }
	if slices.ContainsFunc(names, hasCR) && rows.most(1) == 0 {
		err = fmt.Errorf("%w: no data rows; the lines end in CR, and have to end in LF or CRLF", mlcore.ErrEmpty)
	}
	return line, names, err
}

// place tells in which field each column of the table is.
func (t *table) place(line int, names []string, place []int) error {
	first, second := make(map[string]int, len(names)), make(map[string]int)
	for i, name := range names {
		if _, taken := first[name]; !taken {
			first[name] = i
		} else if _, taken := second[name]; !taken {
			second[name] = i
		}
	}
	for j, c := range t.columns {
		var found bool
		if place[j], found = first[c.Name]; !found {
			return fmt.Errorf("line %d: %w: no column %q; the header has %s", line, mlcore.ErrColumn, c.Name, quotedList(names))
		}
		if again, twice := second[c.Name]; twice {
			return fmt.Errorf("line %d: %w: column %q is there twice, in fields %d and %d", line, mlcore.ErrColumn, c.Name, place[j]+1, again+1)
		}
	}
	return nil
}

// read reads up to limit rows of the part.
func (p *part) read(f *file, limit int) {
	for ; limit > 0 && p.err == nil; limit-- {
		line, fields, err := p.reader.next()
		if err == io.EOF {
			return
		}
		if err != nil {
			p.err = err
			return
		}
		if len(fields) != f.width {
			p.err = fmt.Errorf("line %d: %w: %d fields where there are %d columns", line, mlcore.ErrShape, len(fields), f.width)
			return
		}
		for j := range p.columns {
			if err := p.columns[j].add(fields[f.place[j]]); err != nil {
				p.err = fmt.Errorf("line %d, column %q (field %d): %w", line, p.columns[j].Name, f.place[j]+1, err)
				return
			}
		}
		p.rows++
	}
}

// readAll reads all parts. The error is that of the first line that has one.
func (t *table) readAll() error {
	var reading []func() error
	for k := range t.files {
		f := &t.files[k]
		for _, p := range f.parts {
			reading = append(reading, later(func() error {
				most := min(p.reader.most(f.width), mostReserved)
				for j := range p.columns {
					p.columns[j].grow(most)
				}
				p.read(f, math.MaxInt)
				return nil
			}))
		}
	}
	if err := all(reading); err != nil {
		return err
	}
	for _, f := range t.files {
		rows := 0
		for _, p := range f.parts {
			if p.err != nil {
				return f.wrap(p.err)
			}
			rows += p.rows
		}
		if rows == 0 {
			return f.wrap(fmt.Errorf("%w: no data rows", mlcore.ErrEmpty))
		}
	}
	return nil
}

// sampled is how many rows are read to see which values are frequent.
const sampled = 256

// frame reads the rows and makes the gota frame. gota copies the columns that it is
// given, on one goroutine, so it is given one row, which it multiplies while the rows
// are read; the values are then set in place.
func (t *table) frame() (dataframe.DataFrame, error) {
	row := make([]series.Series, len(t.columns))
	t.parts[0].read(&t.files[0], sampled)
	for j := range row {
		row[j] = t.parts[0].columns[j].usual()
	}
	lines := 0 // as many as there are rows, if none is blank from here on
	for _, p := range t.parts {
		lines += p.rows + p.reader.most(1)
	}
	multiplied := func(rows int) dataframe.DataFrame { return dataframe.New(row...).Subset(make([]int, rows)) }
	var df dataframe.DataFrame
	early := func() error { return nil }
	guessed := lines > 0 && lines <= t.fields/len(t.columns) // or many are blank
	if guessed {
		early = later(func() error {
			df = multiplied(lines)
			return nil
		})
	}
	if err := t.readAll(); err != nil {
		return dataframe.DataFrame{}, err
	}
	rows, firsts := 0, make([]int, len(t.parts))
	for k, p := range t.parts {
		firsts[k] = rows
		rows += p.rows
	}
	if err := early(); err != nil {
		return dataframe.DataFrame{}, err
	}
	if !guessed || rows != lines {
		df = multiplied(rows)
	}
	if df.Err != nil {
		return df, df.Err
	}
	var filling []func() error
	for k, p := range t.parts {
		filling = append(filling, later(func() error {
			for j := range p.columns {
				p.columns[j].fill(func(i int) series.Element { return df.Elem(i, j) }, firsts[k], row[j])
			}
			return nil
		}))
	}
	if err := all(filling); err != nil {
		return dataframe.DataFrame{}, err
	}
	return df, nil
}

// plain reads the rows and returns their columns.
func (t *table) plain() ([]frame.Column, error) {
	if err := t.readAll(); err != nil {
		return nil, err
	}
	out := make([]frame.Column, len(t.columns))
	for j, c := range t.columns {
		of := make([]*columnBuilder, len(t.parts))
		for k, p := range t.parts {
			of[k] = &p.columns[j]
		}
		out[j] = joined(c, of)
	}
	return out, nil
}
