package datasets

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// ReadCSV reads the named columns of a comma-separated table with a header
// line. Types are given, never guessed; columns of the table that are not asked
// for are passed over, and the frame has the columns in the order asked for.
// Fields may be quoted, spaces around a field do not count and blank lines are
// skipped.
//
// An error names the line (counted from 1), the column and what is wrong:
// it wraps [mlcore.ErrEmpty] for a table without rows, [mlcore.ErrShape] for a
// ragged line or an open quote, [mlcore.ErrColumn] for UTF-16, of which zero bytes in the
// first line are a sign, a column that is missing or doubled, text where a number should be
// or an empty field in a column without [Column.Missing], and [mlcore.ErrNonFinite] for NaN
// and infinities.
func ReadCSV(r io.Reader, columns ...Column) (dataframe.DataFrame, error) {
	if err := checkColumns(columns); err != nil {
		return dataframe.DataFrame{}, err
	}
	data, err := readAll(r)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return readTable(data, columns)
}

func readTable(data []byte, columns []Column) (dataframe.DataFrame, error) {
	t := &table{columns: columns}
	if err := t.add("", data, headed); err != nil {
		return dataframe.DataFrame{}, err
	}
	return t.frame()
}

// maxCSV is the most that a table may have, in bytes.
const maxCSV = 1 << 30

// ReadCSVFile is [ReadCSV] for a file; errors begin with its path. They wrap
// [ErrNotRegular] for a folder, a pipe or a device, and [ErrTooLarge] for a file
// of more than a gibibyte.
func ReadCSVFile(path string, columns ...Column) (dataframe.DataFrame, error) {
	return ofFile(path, func(r io.Reader) (dataframe.DataFrame, error) { return ReadCSV(r, columns...) })
}

// ofFile reads a table from a file.
func ofFile[T any](path string, read func(io.Reader) (T, error)) (table T, err error) {
	f, size, err := openRegular(path, maxCSV)
	if err != nil {
		return table, err
	}
	defer f.Close()
	if table, err = read(sized{io.LimitReader(f, maxCSV), int(size)}); err != nil {
		return table, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// A sized reader has about so many bytes to read.
type sized struct {
	io.Reader
	size int
}

// readAll reads the bytes of a table.
func readAll(r io.Reader) ([]byte, error) {
	data, err := readBytes(r)
	if err != nil {
		return data, err
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")):
		err = fmt.Errorf("line 1: %w: the table is in UTF-16; save it as UTF-8", mlcore.ErrColumn)
	case bytes.IndexByte(first, 0) >= 0: // half of every comma and line end in UTF-16
		err = fmt.Errorf("line 1: %w: the table has zero bytes, as UTF-16 without a byte order mark has; save it as UTF-8", mlcore.ErrColumn)
	}
	return data, err
}

// readBytes is [io.ReadAll], which makes room at once where the length is known.
func readBytes(r io.Reader) ([]byte, error) {
	size := 0
	switch r := r.(type) {
	case *bytes.Reader:
		size = r.Len()
	case *strings.Reader:
		size = r.Len()
	case sized:
		size = r.size
	default:
		return io.ReadAll(r)
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

func checkColumns(columns []Column) error {
	if len(columns) == 0 {
		return fmt.Errorf("%w: name at least one column to read", mlcore.ErrConfig)
	}
	asked := make(map[string]bool, len(columns))
	for _, c := range columns {
		if !slices.Contains([]series.Type{series.String, series.Int, series.Float}, c.Type) {
			return fmt.Errorf("%w: column %q has type %q; use series.String, series.Int or series.Float", mlcore.ErrConfig, c.Name, c.Type)
		}
		if asked[c.Name] {
			return fmt.Errorf("%w: column %q is asked for twice", mlcore.ErrConfig, c.Name)
		}
		asked[c.Name] = true
	}
	return nil
}
