package datasets

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// ReadDataset reads a comma-separated table with a header line, as [ReadCSV] does, and
// makes a Dataset of it, as [frame.ToDataset] does. Empty fields, ? and NA are missing
// values. A column in which every other field is a number is numeric; a column without
// any number is of categories, and so is one that opts.Categorical or opts.Levels
// lists. Class labels that are real numbers are refused unless opts.Categorical lists
// their column. Columns that are neither features nor what is to be predicted may hold
// anything. A column without a name is called X0, or X1 where that is taken, and so on.
//
// A feature that has numbers in some lines and words in others is an error that wraps
// [mlcore.ErrColumn] and names a line of each, since a misprint would otherwise make
// a category of every number: mend the line, list the column in opts.Categorical, or
// use [ReadCSV] and [frame.ToDataset], where types are given. Other errors are those of
// these two functions.
func ReadDataset(r io.Reader, opts frame.Options) (*mlcore.Dataset, error) {
	data, err := readAll(r)
	if err != nil {
		return nil, err
	}
	seen, err := scanTable(data, func(names []string) []form { return formsFor(opts, names) })
	if err != nil {
		return nil, err
	}
	if err := seen.oneColumn(func(name string) bool { return asks(opts, name) }, ", and if not list the column in Features"); err != nil {
		return nil, err
	}
	columns := make([]Column, 0, len(seen.names))
	for j, name := range seen.names {
		if seen.places[name] != j || !wants(opts, name) {
			continue // of two with one name, plain says where both are
		}
		c := &seen.columns[j]
		t, err := c.decide(name, opts)
		if err != nil {
			if seen.raggedBy(max(c.number, c.word)) { // that may be why
				err = seen.raggedError()
			}
			return nil, err
		}
		columns = append(columns, Column{Name: name, Type: t})
	}
	plain, err := seen.plain(columns)
	if err != nil {
		return nil, err
	}
	if err := realLabels(columns, opts); err != nil {
		return nil, err
	}
	ds, err := frame.FromColumns(seen.withOthers(plain), opts)
	return ds, inLine(data, err)
}

// wants reports whether the options make something of the values of a column.
func wants(opts frame.Options, name string) bool {
	if name == opts.Label || name == opts.Target {
		return true
	}
	if opts.Features != nil {
		return slices.Contains(opts.Features, name)
	}
	return !slices.Contains(opts.Drop, name)
}

// asks reports whether the options name a column.
func asks(opts frame.Options, name string) bool {
	_, fixed := opts.Levels[name]
	return fixed || slices.Contains(slices.Concat(opts.Features, opts.Drop, opts.Categorical, []string{opts.Label, opts.Target}), name)
}

// realLabels is the error about class labels that are real numbers. Categorical makes
// categories of them here, where all values begin as texts.
func realLabels(columns []Column, opts frame.Options) error {
	for _, c := range columns {
		if c.Name == opts.Label && c.Type == series.Float {
			return fmt.Errorf("%w: label %q has real numbers; class labels are text or whole numbers, and regression takes Target; "+
				"list the column in Categorical if its numbers are names", mlcore.ErrColumn, c.Name)
		}
	}
	return nil
}

// inLine says in which line of the table a row is that an error of package frame is about.
func inLine(data []byte, err error) error {
	var inRow interface {
		error
		Row() int
		At(place string) error
	}
	if !errors.As(err, &inRow) {
		return err
	}
	rows := headed.rows(data)
	line := 0
	for range inRow.Row() + 2 { // with the header
		var wrong error
		if line, _, wrong = rows.next(); wrong != nil {
			return err // it was read before, so this does not happen
		}
	}
	return inRow.At(fmt.Sprint("line ", line))
}

// formsFor tells in which form the columns of a table are wanted. Those whose numbers may
// be names are kept as texts, of which numbers can still be made.
func formsFor(opts frame.Options, names []string) []form {
	forms := make([]form, len(names))
	for j, name := range names {
		_, fixed := opts.Levels[name]
		switch {
		case name == opts.Label:
			forms[j] = asTexts
		case name == opts.Target:
			forms[j] = undecided
		case !wants(opts, name):
			forms[j] = ignored
		case fixed || slices.Contains(opts.Categorical, name):
			forms[j] = asTexts
		default:
			forms[j] = undecided
		}
	}
	return forms
}

// ReadDatasetFile is [ReadDataset] for a file, under the rules of [ReadCSVFile].
func ReadDatasetFile(path string, opts frame.Options) (*mlcore.Dataset, error) {
	return ofFile(path, func(r io.Reader) (*mlcore.Dataset, error) { return ReadDataset(r, opts) })
}

// ReadRows reads the columns that a fitted model expects from a comma-separated table
// with a header line, in whatever order and among whatever others they stand, and
// encodes them as in training; see [frame.ForModel]. Empty fields, ? and NA are missing
// values, and a column without a name has the one that [ReadDataset] gives it. The label
// or target column is read where the table has it, so that the model can be judged.
//
// A column that is not there, or a word where the model expects a number, is an error
// that wraps [mlcore.ErrColumn]; a category that the training rows did not have is one
// that wraps [mlcore.ErrLevel] unless the model allows it, see [mlcore.Unknown].
func ReadRows(r io.Reader, model any) (*mlcore.Dataset, error) {
	encoder, err := frame.ForModel(model)
	if err != nil {
		return nil, err
	}
	data, err := readAll(r)
	if err != nil {
		return nil, err
	}
	schema := model.(mlcore.Described).Schema() // ForModel has asked for one
	wanted := schema.Columns
	label := mlcore.Column{Name: schema.TargetName, Levels: schema.ClassNames}
	seen, err := scanTable(data, func(names []string) []form {
		places := placesOf(names)
		named := func(c mlcore.Column) bool { return c.Name == label.Name }
		if _, has := places[label.Name]; has && label.Name != "" && !slices.ContainsFunc(wanted, named) {
			wanted = append(slices.Clip(wanted), label)
		}
		forms := make([]form, len(names))
		for _, c := range wanted {
			if at, has := places[c.Name]; has {
				forms[at] = undecided
				if c.Categorical() {
					forms[at] = asTexts
				}
			}
		}
		return forms
	})
	if err != nil {
		return nil, err
	}
	if err := seen.oneColumn(func(name string) bool {
		return slices.ContainsFunc(wanted, func(c mlcore.Column) bool { return c.Name == name })
	}, ""); err != nil {
		return nil, err
	}
	columns := make([]Column, len(wanted))
	for j, c := range wanted {
		columns[j] = Column{Name: c.Name, Type: series.Float}
		if at, has := seen.places[c.Name]; has && c.Categorical() {
			columns[j].Type = seen.columns[at].category(c.Levels)
		}
	}
	plain, err := seen.plain(columns)
	if err != nil {
		return nil, err
	}
	ds, err := encoder.TransformColumns(plain)
	return ds, inLine(data, err)
}

// ReadRowsFile is [ReadRows] for a file, under the rules of [ReadCSVFile].
func ReadRowsFile(path string, model any) (*mlcore.Dataset, error) {
	return ofFile(path, func(r io.Reader) (*mlcore.Dataset, error) { return ReadRows(r, model) })
}

// placesOf finds columns by their names, the first of two with the same.
func placesOf(names []string) map[string]int {
	places := make(map[string]int, len(names))
	for j, name := range names {
		if _, taken := places[name]; !taken {
			places[name] = j
		}
	}
	return places
}

// decide tells the type of a column from its values and what it is for.
func (s *sight) decide(name string, opts frame.Options) (series.Type, error) {
	levels, fixed := opts.Levels[name]
	if fixed {
		return s.category(levels), nil
	}
	free := name == opts.Label || slices.Contains(opts.Categorical, name)
	switch {
	case s.number > 0 && s.word == 0 && !s.fraction:
		return series.Int, nil
	case s.number > 0 && s.word == 0 && !slices.Contains(opts.Categorical, name):
		return series.Float, nil
	case s.number > 0 && s.word > 0 && !free:
		return "", fmt.Errorf("%w: column %q has a number in line %d and %s in line %d; "+
			"mend the line, or list the column in Categorical if its numbers are names", mlcore.ErrColumn, name, s.number, quoted(s.text), s.word)
	}
	return series.String, nil
}
