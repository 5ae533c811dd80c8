package frame

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// A table is what an Encoder reads: a gota frame or plain columns, which are found by
// name at once. gota looks through all names for each, and copies the column.
type table struct {
	what    string // it is, for errors
	rows    int
	names   []string
	columns []column
	places  map[string]int // of the names
}

// A column of a table. Its kind is gota's.
type column struct {
	name string
	kind series.Type
	values
}

// values are what a column holds, in the two forms in which an Encoder takes them. What
// is returned is not to be written to, and is valid until the next column of the table is
// asked.
type values interface {
	// numbers returns one number for each row, NaN where it is missing. A column that is
	// not numeric is only asked where all of it is missing.
	numbers() []float64
	// categories returns for each row a code, which is the place of its text in texts. A
	// value is missing where its code is negative or its text stands for none.
	categories() (codes []int32, texts []string)
}

func newTable(what string, rows int, columns []column) (*table, error) {
	if rows == 0 || len(columns) == 0 {
		return nil, fmt.Errorf("%w: the %s has %d rows and %d columns", mlcore.ErrEmpty, what, rows, len(columns))
	}
	t := &table{what: what, rows: rows, names: make([]string, len(columns)), columns: columns, places: make(map[string]int, len(columns))}
	for j, c := range columns {
		t.names[j] = c.name
		if _, taken := t.places[c.name]; !taken {
			t.places[c.name] = j
		}
	}
	return t, nil
}

// checkNames refuses two columns of one name.
func (t *table) checkNames() error {
	if name, twice := repeated(t.names); twice {
		return fmt.Errorf("%w: the %s has two columns %q", mlcore.ErrColumn, t.what, name)
	}
	return nil
}

func (t *table) noColumn(name string) error {
	return fmt.Errorf("%w: no column %q; the %s has %q", mlcore.ErrColumn, name, t.what, t.names)
}

// has reports whether there is a column of that name.
func (t *table) has(name string) bool {
	_, ok := t.places[name]
	return ok
}

// column returns the column of a name that there is.
func (t *table) column(name string) column { return t.columns[t.places[name]] }

// allMissing reports whether the column is without one value. A text that is a level is
// one.
func (c column) allMissing(levels map[string]int) bool {
	if isNumber(c.kind) {
		for _, v := range c.numbers() {
			if !math.IsNaN(v) {
				return false
			}
		}
		return true
	}
	codes, texts := c.categories()
	absent := absentees(texts, levels)
	for _, code := range codes {
		if code >= 0 && !absent[code] {
			return false
		}
	}
	return true
}

// absentees tells of each text whether it stands for a missing value. One of the levels does
// not, unless it is NaN, for which gota has no other value.
func absentees(texts []string, levels map[string]int) []bool {
	absent := make([]bool, len(texts))
	for code, text := range texts {
		_, level := levels[text]
		absent[code] = (!level || text == "NaN") && isAbsent(text)
	}
	return absent
}

// isAbsent reports whether a text stands for a missing value. The words are those of
// pandas 2.
func isAbsent(text string) bool {
	switch text {
	case "", "NA", "N/A", "n/a", "<NA>", "#N/A", "#NA", "#N/A N/A", "NaN", "nan", "NAN", "-NaN", "-nan",
		"NULL", "null", "None", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN":
		return true
	}
	return false
}

func isNumber(t series.Type) bool { return t == series.Int || t == series.Float }

// tableOf returns the table of a gota frame.
func tableOf(df dataframe.DataFrame) (*table, error) {
	if df.Err != nil {
		return nil, fmt.Errorf("%w: the frame carries an error: %w", mlcore.ErrColumn, df.Err)
	}
	types, columns, s := df.Types(), make([]column, df.Ncol()), new(scratch)
	for j, name := range df.Names() {
		columns[j] = column{name, types[j], &gotaColumn{df, j, types[j], s}}
	}
	return newTable("frame", df.Nrow(), columns)
}

// A scratch is memory that the columns of a table use one after the other.
type scratch struct {
	floats []float64
	codes  []int32
}

func (s *scratch) numbers(n int) []float64 {
	if s.floats == nil {
		s.floats = make([]float64, n)
	}
	return s.floats
}

func (s *scratch) categories(n int) []int32 {
	if s.codes == nil {
		s.codes = make([]int32, n)
	}
	return s.codes
}

// A gotaColumn has the values of a column of a gota frame.
type gotaColumn struct {
	df    dataframe.DataFrame
	place int
	kind  series.Type
	*scratch
}

func (c *gotaColumn) numbers() []float64 {
	out := c.scratch.numbers(c.df.Nrow())
	for i := range out {
		out[i] = math.NaN()
		if v := c.df.Elem(i, c.place); !v.IsNA() {
			out[i] = v.Float()
		}
	}
	return out
}

func (c *gotaColumn) categories() ([]int32, []string) {
	codes := c.scratch.categories(c.df.Nrow())
	if c.kind == series.Int {
		return codes, number(codes, func(i int) (int, bool) {
			if e := c.df.Elem(i, c.place); !e.IsNA() {
				v, _ := e.Int()
				return v, false
			}
			return 0, true
		}, strconv.Itoa)
	}
	return codes, number(codes, func(i int) (string, bool) {
		v := c.df.Elem(i, c.place)
		return v.String(), v.IsNA() || c.kind == series.String && v.String() == ""
	}, func(v string) string { return v })
}

// number fills codes with those of the values that at returns, -1 for a missing one, and
// returns the texts of the values in the order of their codes.
func number[T comparable](codes []int32, at func(row int) (v T, missing bool), text func(T) string) (texts []string) {
	known := make(map[T]int32)
	for i := range codes {
		v, missing := at(i)
		if missing {
			codes[i] = -1
			continue
		}
		code, found := known[v]
		if !found {
			code = int32(len(texts))
			known[v] = code
			texts = append(texts, text(v))
		}
		codes[i] = code
	}
	return texts
}
