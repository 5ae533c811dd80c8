package frame

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// A Column is a column of values that are in no gota frame, such as those that a query of
// a database returned. One of Floats, Ints, Texts and Codes holds them; all columns of a
// table have the same number of rows. Columns are read, not kept or changed.
type Column struct {
	// Name is the heading, by which options and models find the column; there has to be one.
	Name string
	// Floats are numbers; NaN is a missing one.
	Floats []float64
	// Ints are whole numbers, of which none is missing.
	Ints []int
	// Texts are categories or class labels. An empty one is missing, and so is a word that
	// [CSV] takes for a missing value, such as NaN or None, unless [Options] list it among
	// the Levels of the column; ? is not.
	Texts []string
	// Codes are Texts in another form: c stands for Dictionary[c], a negative code for a
	// missing text. Texts of the Dictionary may be there twice, or not occur.
	Codes      []int32
	Dictionary []string
	// Whole says that Floats, Texts or the Dictionary are whole numbers, as Ints are; as
	// texts they fit into 64 bits and have no sign but - and no zeros before them. Whole
	// numbers are numeric features where [Options] do not list them as categories; where
	// it does, and as class labels, they have the order of size. Real numbers can be
	// neither.
	Whole bool
}

// FromColumns is [ToDataset] for plain columns.
func FromColumns(columns []Column, opts Options) (*mlcore.Dataset, error) {
	t, err := tableOfColumns(columns)
	return toDataset(t, err, opts)
}

// FitColumns is [Fit] for plain columns. It also refuses columns that are not as [Column]
// says: without a name ([mlcore.ErrColumn]), with values of two kinds ([mlcore.ErrConfig]),
// of different lengths ([mlcore.ErrShape]), with a code that the Dictionary does not have
// ([mlcore.ErrLevel]) or a number that is not whole where Whole says so ([mlcore.ErrColumn],
// or [mlcore.ErrNonFinite] for an infinity).
func FitColumns(columns []Column, opts Options) (*Encoder, error) {
	t, err := tableOfColumns(columns)
	return newEncoder(t, err, opts)
}

// TransformColumns is [Encoder.Transform] for plain columns, and refuses those that
// [FitColumns] refuses, also two of one name. It makes no difference whether the encoder
// was fitted to such columns or to a frame.
func (e *Encoder) TransformColumns(columns []Column) (*mlcore.Dataset, error) {
	t, err := tableOfColumns(columns)
	return e.apply(t, err)
}

func tableOfColumns(columns []Column) (*table, error) {
	all, s, rows := make([]column, len(columns)), new(scratch), 0
	for j := range columns {
		c := &columns[j]
		if c.Name == "" {
			return nil, fmt.Errorf("%w: column %d has no name; set its Name, by which options and models find it",
				mlcore.ErrColumn, j)
		}
		n, err := c.check()
		if err != nil {
			return nil, err
		}
		if j > 0 && n != rows {
			return nil, fmt.Errorf("%w: column %q has %d rows, %q has %d", mlcore.ErrShape, c.Name, n, columns[0].Name, rows)
		}
		rows, all[j] = n, column{c.Name, c.kind(), &plainColumn{c, s}}
	}
	t, err := newTable("table", rows, all)
	if err != nil {
		return nil, err
	}
	return t, t.checkNames()
}

// check returns the number of rows.
func (c *Column) check() (rows int, err error) {
	forms := 0
	for _, n := range []int{len(c.Floats), len(c.Ints), len(c.Texts), len(c.Codes)} {
		if n > 0 {
			rows = n
			forms++
		}
	}
	if forms > 1 {
		return 0, fmt.Errorf("%w: column %q has values of more than one kind; set one of Floats, Ints, Texts and Codes", mlcore.ErrConfig, c.Name)
	}
	if len(c.Dictionary) > 0 && len(c.Codes) == 0 && (c.Codes == nil || rows > 0) {
		return 0, fmt.Errorf("%w: column %q has a Dictionary and no Codes", mlcore.ErrConfig, c.Name)
	}
	if c.Whole {
		if i := slices.IndexFunc(c.Floats, notWhole); i >= 0 {
			if math.IsInf(c.Floats[i], 0) {
				return 0, infinite(c.Floats[i], i, c.Name)
			}
			return 0, fmt.Errorf("%w: %v in row %d, column %q, is not whole", mlcore.ErrColumn, c.Floats[i], i, c.Name)
		}
		var room [20]byte
		for _, texts := range [][]string{c.Texts, c.Dictionary} {
			for _, text := range texts {
				if v, err := strconv.ParseInt(text, 10, 64); !isAbsent(text) && (err != nil || string(strconv.AppendInt(room[:0], v, 10)) != text) {
					return 0, fmt.Errorf("%w: %q in column %q is not how a whole number of 64 bits is written", mlcore.ErrColumn, text, c.Name)
				}
			}
		}
	}
	for i, code := range c.Codes {
		if int(code) >= len(c.Dictionary) {
			return 0, fmt.Errorf("%w: code %d in row %d, column %q, whose Dictionary has %d texts", mlcore.ErrLevel, code, i, c.Name, len(c.Dictionary))
		}
	}
	return rows, nil
}

// notWhole is false for a missing number.
func notWhole(v float64) bool { return v != math.Trunc(v) && !math.IsNaN(v) || math.IsInf(v, 0) }

// wholeHint ends the error about real numbers that ought to be whole, where they are: a
// gota frame has no way to say so.
func (c column) wholeHint() string {
	if plain, ok := c.values.(*plainColumn); ok && !slices.ContainsFunc(plain.Floats, notWhole) {
		return "; Column.Whole says that Floats are whole numbers"
	}
	return ""
}

func (c *Column) kind() series.Type {
	switch {
	case c.Whole || len(c.Ints) > 0:
		return series.Int
	case len(c.Floats) > 0:
		return series.Float
	}
	return series.String
}

// A plainColumn has the values of a Column.
type plainColumn struct {
	*Column
	*scratch
}

func (c *plainColumn) numbers() []float64 {
	if len(c.Floats) > 0 {
		return c.Floats
	}
	if len(c.Ints) > 0 {
		out := c.scratch.numbers(len(c.Ints))
		for i, v := range c.Ints {
			out[i] = float64(v)
		}
		return out
	}
	codes, texts := c.categories()
	out := c.scratch.numbers(len(codes))
	of := make([]float64, len(texts))
	for code, text := range texts {
		of[code] = math.NaN()
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			of[code] = float64(v)
		}
	}
	for i, code := range codes {
		out[i] = math.NaN()
		if code >= 0 {
			out[i] = of[code]
		}
	}
	return out
}

func (c *plainColumn) categories() ([]int32, []string) {
	switch {
	case len(c.Codes) > 0:
		return c.Codes, c.Dictionary
	case len(c.Ints) > 0:
		codes := c.scratch.categories(len(c.Ints))
		return codes, number(codes, func(i int) (int, bool) { return c.Ints[i], false }, strconv.Itoa)
	case len(c.Floats) > 0:
		codes := c.scratch.categories(len(c.Floats))
		return codes, number(codes, func(i int) (uint64, bool) {
			return math.Float64bits(c.Floats[i]), math.IsNaN(c.Floats[i])
		}, c.text)
	}
	codes := c.scratch.categories(len(c.Texts))
	return codes, number(codes, func(i int) (string, bool) { return c.Texts[i], c.Texts[i] == "" }, func(v string) string { return v })
}

// text is a number, of which it takes the bits, as gota writes it, a whole one with all its
// digits.
func (c *plainColumn) text(bits uint64) string {
	v := math.Float64frombits(bits)
	if c.Whole {
		return strconv.FormatFloat(v+0, 'f', 0, 64) // -0 is 0
	}
	return strconv.FormatFloat(v, 'f', 6, 64)
}
