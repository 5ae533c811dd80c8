package datasets

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// A table collects the rows of a frame from one or more files.
type table struct {
	columns []Column
	parts   []*part // in the order of the rows
}

// A part is some rows of a table, which one goroutine reads.
type part struct {
	columns []columnBuilder
	rows    int
}

func (t *table) newPart() *part {
	p := &part{columns: make([]columnBuilder, len(t.columns))}
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

// add appends the rows of a file. The columns of a file with a header may come
// in any order and among others; without one they must be all the columns in
// order. Long files are read in several parts at once.
func (t *table) add(data []byte, l layout) error {
	place := make([]int, len(t.columns))
	for j := range place {
		place[j] = j
	}
	width := len(t.columns)
	rows := l.rows(data)
	if l.header {
		line, fields, err := rows.next()
		if err == io.EOF {
			return fmt.Errorf("%w: the file is empty", mlcore.ErrEmpty)
		}
		if err != nil {
			return err
		}
		width = len(fields)
		if err := t.readHeader(line, fields, place); err != nil {
			return err
		}
	}
	all := rows.split(runtime.GOMAXPROCS(0), partBytes)
	parts, errs := make([]*part, len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	for k := range all {
		parts[k] = t.newPart()
		wg.Go(func() { errs[k] = parts[k].read(all[k], width, place) })
	}
	wg.Wait()
	read := 0
	for k, err := range errs {
		if err != nil {
			return err // of the first line that has one
		}
		read += parts[k].rows
	}
	if read == 0 {
		return fmt.Errorf("%w: no data rows", mlcore.ErrEmpty)
	}
	t.parts = append(t.parts, parts...)
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

// read appends rows of width fields; column j is field place[j].
func (p *part) read(rows rowReader, width int, place []int) error {
	most := min(rows.most(), mostReserved)
	for j := range p.columns {
		p.columns[j].grow(most)
	}
	for {
		line, fields, err := rows.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(fields) != width {
			return fmt.Errorf("line %d: %w: %d fields where there are %d columns", line, mlcore.ErrShape, len(fields), width)
		}
		for j := range p.columns {
			if err := p.columns[j].add(fields[place[j]]); err != nil {
				return fmt.Errorf("line %d, column %q (field %d): %w", line, p.columns[j].Name, place[j]+1, err)
			}
		}
		p.rows++
	}
}

// frame makes the gota frame. gota copies the columns that it is given, so it is
// given one row, which it multiplies; the values are then set in place.
func (t *table) frame() (dataframe.DataFrame, error) {
	row := make([]series.Series, len(t.columns))
	for j := range row {
		row[j] = t.parts[0].columns[j].usual()
	}
	rows, firsts := 0, make([]int, len(t.parts))
	for k, p := range t.parts {
		firsts[k] = rows
		rows += p.rows
	}
	df := dataframe.New(row...).Subset(make([]int, rows))
	if df.Err != nil {
		return df, df.Err
	}
	var wg sync.WaitGroup
	for k, p := range t.parts {
		wg.Go(func() {
			for j := range p.columns {
				p.columns[j].fill(func(i int) series.Element { return df.Elem(i, j) }, firsts[k], row[j])
			}
		})
	}
	wg.Wait()
	return df, nil
}
