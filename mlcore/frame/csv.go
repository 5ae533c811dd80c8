package frame

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
)

// The sentinel errors of reading; what is wrong with the content of a table wraps one of
// mlcore's.
var (
	// ErrFormat: the bytes are not a table in UTF-8 but, for instance, a workbook.
	ErrFormat = errors.New("not a CSV table")
	// ErrNotRegular: there is a folder, a pipe or a device in the place of a file.
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge: a file has more bytes than are read.
	ErrTooLarge = errors.New("file too large")
)

// A CSV says how a table is written, and reads it. The zero value is for fields with commas
// between them, numbers with decimal points and a header line:
//
//	ds, err := frame.CSV{}.DatasetFile("flats.csv", frame.Options{Label: "sold"})
//
// The rules are the same for every table. White space around a field does not count,
// inside quotes or not. Lines end in LF, CRLF or CR, and blank lines are skipped. A field
// in quotes may hold separators, line breaks and doubled quotes, as RFC 4180 has it. A
// missing value is an empty field, a question mark, or one of the words that pandas takes
// for one: NA, N/A, n/a, NaN, nan, NULL, null, None, <NA>, #N/A and so on. However, a word
// that [Options] list among the Levels of its column is a level. A column without a name is
// called X0, or X1 where that is taken, and so on. The bytes are UTF-8, and may be
// compressed by gzip.
//
// Errors name the file, the line, counted from 1 as an editor does, and the column. They
// wrap [ErrFormat] for other formats and encodings, [mlcore.ErrEmpty] for a table without
// rows, [mlcore.ErrShape] for a line with too many or too few fields or a bad quote,
// [mlcore.ErrColumn] for a column that is not there, is there twice or holds other values
// than it should, and [mlcore.ErrNonFinite] for infinities.
type CSV struct {
	// Separator stands between two fields; 0 means a comma, and ' ' any number of spaces
	// and tabs.
	Separator rune
	// Decimal is the decimal sign of numbers, a point or a comma; 0 means a point.
	Decimal rune
	// Names names the columns of a table that has no header line.
	Names []string
	// MissingWords lists more words that stand for a missing value. One that is a number,
	// such as -999, stands for it in a column of numbers however the number is written there.
	MissingWords []string
	// Dates gives the layout of columns that hold dates, in the form of package time. A
	// date becomes the number of days since 1 January 1970, and a time without a date the
	// part of the day that has passed:
	//
	//	Dates: map[string]string{"signed": "02.01.2006"}
	Dates map[string]string
	// Warn is called by Dataset with what may be a mistake and may be meant: a column that
	// seems to number the rows or to identify them, numbers with zeros in front, more class
	// labels than half of the rows, or a header of numbers. Where Warn is nil, such a thing
	// is an error, so that it is never overlooked. The warning says which of [Options] to
	// set if the column is meant.
	Warn func(warning string)
}

// Dataset reads a table and makes a Dataset of it, as [ToDataset] does of a frame. The
// types of columns are found: a column of numbers is numeric, one of words is categorical,
// as is one that opts.Categorical or opts.Levels lists. Columns that are neither features
// nor what is to be predicted may hold anything.
//
// What would make categories of values that are none is an error that says what to write
// instead: numbers in some lines and words in others, numbers with decimal commas or signs,
// and dates. So is what [CSV.Warn] would be called with, where that is nil. Class labels that are real numbers are refused
// unless opts.Categorical lists their column.
//
// Whole numbers that are categories are equal if their values are, as 7 and 07; but where a
// zero leads one of a feature, as in postal codes, all are taken as they are written.
func (c CSV) Dataset(r io.Reader, opts Options) (*mlcore.Dataset, error) {
	named := opts.named()
	s, err := c.read(r, func(names []string) []*cells {
		of := opts.forms()
		columns, there := make([]*cells, len(names)), set(names)
		for j, name := range names {
			columns[j] = of(name)
		}
		for _, name := range named {
			if !there[name] {
				columns = append(columns, &cells{name: name}) // which there has to be
			}
		}
		return columns
	})
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		if err := s.examineHeader(); err != nil {
			return nil, err
		}
	}
	columns := make([]Column, len(s.columns))
	for j, col := range s.columns {
		if err := s.examine(col, opts); err != nil {
			return nil, err
		}
		columns[j] = col.column()
	}
	ds, err := FromColumns(columns, opts)
	return ds, s.inLine(err)
}

// named are the columns that the options name.
func (o Options) named() []string {
	names := slices.Concat(o.Features, o.Drop, o.Categorical, slices.Collect(maps.Keys(o.Levels)))
	if predicted := cmp.Or(o.Label, o.Target); predicted != "" {
		names = append(names, predicted)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// forms returns a function that says what the options want of a column.
func (o Options) forms() func(name string) *cells {
	named, features, dropped, categorical := set(o.named()), set(o.Features), set(o.Drop), set(o.Categorical)
	return func(name string) *cells {
		c := &cells{name: name, asked: named[name], form: undecided}
		predicted := name == o.Label || name == o.Target
		switch levels, fixed := o.Levels[name]; {
		case !predicted && (dropped[name] || o.Features != nil && !features[name]):
			c.form = skipped
		case fixed:
			c.form, c.levels = texts, index(levels)
		case name == o.Label || categorical[name]:
			c.form = texts
		}
		return c
	}
}

// Rows reads the columns that a fitted model expects, in whatever order and among whatever
// others they stand, and encodes them as in training; see [ForModel]. The label or target
// column is read where the table has it, so that the model can be judged.
//
// A column that is not there, or a word where the model expects a number, is an error
// that wraps [mlcore.ErrColumn]; a category that the training rows did not have is one
// that wraps [mlcore.ErrLevel] unless the model allows it, see [mlcore.Unknown].
func (c CSV) Rows(r io.Reader, model any) (*mlcore.Dataset, error) {
	encoder, err := ForModel(model)
	if err != nil {
		return nil, err
	}
	schema := model.(mlcore.Described).Schema() // ForModel has asked for one
	s, err := c.read(r, func(names []string) []*cells {
		wanted := schema.Columns
		label := mlcore.Column{Name: schema.TargetName, Levels: schema.ClassNames}
		if label.Name != "" && slices.Contains(names, label.Name) && !slices.ContainsFunc(wanted, func(c mlcore.Column) bool { return c.Name == label.Name }) {
			wanted = append(slices.Clip(wanted), label)
		}
		columns := make([]*cells, len(wanted))
		for j, w := range wanted {
			columns[j] = &cells{name: w.Name, form: numbers, asked: true}
			if w.Categorical() {
				columns[j].form, columns[j].levels = texts, index(w.Levels)
			}
		}
		return columns
	})
	if err != nil {
		return nil, err
	}
	columns := make([]Column, len(s.columns))
	for j, col := range s.columns {
		columns[j] = col.column()
	}
	ds, err := encoder.TransformColumns(columns)
	return ds, s.inLine(err)
}

// A Field is a column that is read with a given type, which is series.String, series.Int
// or series.Float.
type Field struct {
	Name string
	Type series.Type
	// Missing says that values may be missing; otherwise a missing one is an error.
	Missing bool
}

// Columns reads the named columns, in the order of the fields. Types are given, never
// guessed, and columns of the table that are not asked for are passed over.
func (c CSV) Columns(r io.Reader, fields ...Field) ([]Column, error) {
	columns := make([]*cells, len(fields))
	asked := make(map[string]bool, len(fields))
	for j, f := range fields {
		form, ok := map[series.Type]form{series.String: texts, series.Int: wholes, series.Float: numbers}[f.Type]
		if !ok {
			return nil, fmt.Errorf("%w: column %q has type %q; use series.String, series.Int or series.Float", mlcore.ErrConfig, f.Name, f.Type)
		}
		if asked[f.Name] {
			return nil, fmt.Errorf("%w: column %q is asked for twice", mlcore.ErrConfig, f.Name)
		}
		asked[f.Name] = true
		columns[j] = &cells{name: f.Name, form: form, asked: true, required: !f.Missing}
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("%w: name at least one column to read", mlcore.ErrConfig)
	}
	s, err := c.read(r, func([]string) []*cells { return columns })
	if err != nil {
		return nil, err
	}
	out := make([]Column, len(columns))
	for j, col := range s.columns {
		out[j] = col.column()
	}
	return out, nil
}

// Frame is [CSV.Columns] as a gota frame, in which missing values are NaN.
func (c CSV) Frame(r io.Reader, fields ...Field) (dataframe.DataFrame, error) {
	columns, err := c.Columns(r, fields...)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	all := make([]series.Series, len(columns))
	for j, col := range columns {
		if col.Codes == nil {
			all[j] = series.New(col.Floats, series.Float, col.Name)
			continue
		}
		codes := make([]int, len(col.Codes))
		for i, code := range col.Codes {
			codes[i] = int(code)
			if code < 0 {
				codes[i] = len(col.Dictionary)
			}
		}
		all[j] = series.New(append(slices.Clip(col.Dictionary), "NaN"), col.kind(), col.Name).Subset(codes)
	}
	df := dataframe.New(all...)
	return df, df.Err
}

// DatasetFile is [CSV.Dataset] for a file of at most a gibibyte. Errors begin with its
// path, and wrap [ErrNotRegular] for a folder, a pipe or a device and [ErrTooLarge] for a
// larger file.
func (c CSV) DatasetFile(path string, opts Options) (*mlcore.Dataset, error) {
	return ofFile(path, func(r io.Reader) (*mlcore.Dataset, error) { return c.Dataset(r, opts) })
}

// RowsFile is [CSV.Rows] for a file, as [CSV.DatasetFile] reads it.
func (c CSV) RowsFile(path string, model any) (*mlcore.Dataset, error) {
	return ofFile(path, func(r io.Reader) (*mlcore.Dataset, error) { return c.Rows(r, model) })
}

// FrameFile is [CSV.Frame] for a file, as [CSV.DatasetFile] reads it.
func (c CSV) FrameFile(path string, fields ...Field) (dataframe.DataFrame, error) {
	return ofFile(path, func(r io.Reader) (dataframe.DataFrame, error) { return c.Frame(r, fields...) })
}

// ofFile reads a table from a file. What is no regular file is an error before it is
// opened, because a pipe would wait for a writer and a device might never end.
func ofFile[T any](path string, read func(io.Reader) (T, error)) (table T, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return table, err
	case !info.Mode().IsRegular():
		return table, fmt.Errorf("%s: %w (%s); put a file in its place", path, ErrNotRegular, info.Mode())
	case info.Size() > maxBytes:
		return table, fmt.Errorf("%s: %w: it has %d bytes, at most %d are read", path, ErrTooLarge, info.Size(), maxBytes)
	}
	f, err := os.Open(path)
	if err != nil {
		return table, err
	}
	defer f.Close()
	if table, err = read(f); err != nil {
		return table, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}
