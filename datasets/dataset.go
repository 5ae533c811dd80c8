package datasets

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// ReadDataset reads a comma-separated table with a header line, as [ReadCSV] does, and
// makes a Dataset of it, as [frame.ToDataset] does. Empty fields, ? and NA are missing
// values. A column in which every other field is a number is numeric; a column without
// any number is of categories, and so is one that opts.Categorical or opts.Levels
// lists.
//
// A feature that has numbers in some lines and words in others is an error that wraps
// [mlcore.ErrColumn] and names a line of each, since a misprint would otherwise make
// a category of every number: mend the line, list the column in opts.Categorical, or
// use [ReadCSV] and [frame.ToDataset], where types are given. Other errors are those of
// these two functions.
func ReadDataset(r io.Reader, opts frame.Options) (*mlcore.Dataset, error) {
	data, seen, err := survey(r)
	if err != nil {
		return nil, err
	}
	columns, places := make([]Column, 0, len(seen)), placesOf(seen)
	for j, s := range seen {
		if places[s.name] != j {
			continue // readTable says where both are
		}
		t, err := s.decide(opts)
		if err != nil {
			return nil, err
		}
		columns = append(columns, Column{Name: s.name, Type: t, Missing: true})
	}
	df, err := readTable(data, columns)
	if err != nil {
		return nil, err
	}
	return frame.ToDataset(df, opts)
}

// ReadDatasetFile is [ReadDataset] for a file, under the rules of [ReadCSVFile].
func ReadDatasetFile(path string, opts frame.Options) (*mlcore.Dataset, error) {
	return ofFile(path, func(r io.Reader) (*mlcore.Dataset, error) { return ReadDataset(r, opts) })
}

// ReadRows reads the columns that a fitted model expects from a comma-separated table
// with a header line, in whatever order and among whatever others they stand, and
// encodes them as in training; see [frame.ForModel]. Empty fields, ? and NA are missing
// values. The label or target column is read where the table has it, so that the
// model can be judged.
//
// A column that is not there, or a word where the model expects a number, is an error
// that wraps [mlcore.ErrColumn]; a category that the training rows did not have is one
// that wraps [mlcore.ErrLevel] unless the model allows it, see [mlcore.Unknown].
func ReadRows(r io.Reader, model any) (*mlcore.Dataset, error) {
	encoder, err := frame.ForModel(model)
	if err != nil {
		return nil, err
	}
	data, seen, err := survey(r)
	if err != nil {
		return nil, err
	}
	schema := model.(mlcore.Described).Schema() // ForModel has asked for one
	wanted := schema.Columns
	label := mlcore.Column{Name: schema.TargetName, Levels: schema.ClassNames}
	named := func(c mlcore.Column) bool { return c.Name == label.Name }
	places := placesOf(seen)
	if _, has := places[label.Name]; has && !slices.ContainsFunc(wanted, named) {
		wanted = append(slices.Clip(wanted), label)
	}
	columns := make([]Column, len(wanted))
	for j, c := range wanted {
		columns[j] = Column{Name: c.Name, Type: series.Float, Missing: true}
		if at, has := places[c.Name]; has && c.Categorical() {
			columns[j].Type = seen[at].category(c.Levels)
		}
	}
	df, err := readTable(data, columns)
	if err != nil {
		return nil, err
	}
	return encoder.Transform(df)
}

// ReadRowsFile is [ReadRows] for a file, under the rules of [ReadCSVFile].
func ReadRowsFile(path string, model any) (*mlcore.Dataset, error) {
	return ofFile(path, func(r io.Reader) (*mlcore.Dataset, error) { return ReadRows(r, model) })
}

// A sight is what has been seen of the values of a column.
type sight struct {
	name        string
	whole, real columnBuilder // they judge what is a number
	fraction    bool          // a number is not whole
	number      int           // the first line that has a number, 0 for none
	word        int           // the first line that has something else
	text        string        // which is this
}

// placesOf finds columns by their names, the first of two with the same.
func placesOf(seen []sight) map[string]int {
	places := make(map[string]int, len(seen))
	for j, s := range seen {
		if _, taken := places[s.name]; !taken {
			places[s.name] = j
		}
	}
	return places
}

// survey reads a table with a header line and looks at all its values.
func survey(r io.Reader) (data []byte, seen []sight, err error) {
	if data, err = io.ReadAll(r); err != nil {
		return nil, nil, err
	}
	rows := headed.rows(data)
	_, names, err := readNames(rows)
	if err != nil {
		return nil, nil, err
	}
	seen = make([]sight, len(names))
	for j := range seen {
		seen[j].name, seen[j].whole.Type, seen[j].real.Type = names[j], series.Int, series.Float
	}
	for {
		line, fields, err := rows.next()
		if err == io.EOF {
			return data, seen, nil
		}
		if err != nil {
			return nil, nil, err
		}
		for j, f := range fields[:min(len(fields), len(seen))] { // a ragged line is readTable's to name
			if s := &seen[j]; !isAbsent(f) && (s.number == 0 || s.word == 0 || !s.fraction) {
				s.see(line, f)
			}
		}
	}
}

func (s *sight) see(line int, field []byte) {
	isNumber, isWhole := plainNumber(field)
	if !isNumber && maybeNumber(field[0]) {
		s.whole.ints, s.real.floats = s.whole.ints[:0], s.real.floats[:0]
		if isWhole = s.whole.add(field) == nil; !isWhole {
			err := s.real.add(field)
			isNumber = err == nil || errors.Is(err, mlcore.ErrNonFinite) // which is said when it is read
		}
		isNumber = isNumber || isWhole
	}
	s.fraction = s.fraction || isNumber && !isWhole
	switch {
	case isNumber && s.number == 0:
		s.number = line
	case !isNumber && s.word == 0:
		s.word, s.text = line, string(field)
	}
}

// plainNumber reports whether a field is a number without an exponent, and whether it is
// whole: without making errors of all the others, which takes long.
func plainNumber(field []byte) (number, whole bool) {
	if len(field) > 0 && (field[0] == '-' || field[0] == '+') {
		field = field[1:]
	}
	digits, points := 0, 0
	for _, c := range field {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '.':
			points++
		default:
			return false, false
		}
	}
	// More digits may be too many for an int.
	if digits == 0 || points > 1 || digits > 18 {
		return false, false
	}
	return true, points == 0
}

// maybeNumber reports whether a number, an infinity or a NaN may begin with this byte.
func maybeNumber(c byte) bool { return c >= '0' && c <= '9' || strings.IndexByte("+-.iInN", c) >= 0 }

// category tells how to read a column of these levels: as whole numbers where all are,
// so that 07 is the category 7, but for a column that has other values, which are
// unknown categories.
func (s *sight) category(levels []string) series.Type {
	if s.word > 0 || s.fraction {
		return series.String
	}
	for _, level := range levels {
		if v, err := strconv.Atoi(level); (err != nil || strconv.Itoa(v) != level) && level != mlcore.UnknownName {
			return series.String
		}
	}
	return series.Int
}

// decide tells the type of a column from its values and what it is for.
func (s *sight) decide(opts frame.Options) (series.Type, error) {
	levels, fixed := opts.Levels[s.name]
	if fixed {
		return s.category(levels), nil
	}
	free := s.name == opts.Label || slices.Contains(opts.Categorical, s.name) || slices.Contains(opts.Drop, s.name) ||
		opts.Features != nil && !slices.Contains(opts.Features, s.name) && s.name != opts.Target
	switch {
	case s.number > 0 && s.word == 0 && !s.fraction:
		return series.Int, nil
	case s.number > 0 && s.word == 0 && !slices.Contains(opts.Categorical, s.name):
		return series.Float, nil
	case s.number > 0 && s.word > 0 && !free:
		return "", fmt.Errorf("%w: column %q has a number in line %d and %s in line %d; "+
			"mend the line, or list the column in Categorical if its numbers are names", mlcore.ErrColumn, s.name, s.number, quoted(s.text), s.word)
	}
	return series.String, nil
}
