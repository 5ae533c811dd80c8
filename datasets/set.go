package datasets

import (
	"fmt"
	"slices"

	"github.com/go-gota/gota/series"
)

// A Column describes one column of a table.
type Column struct {
	// Name is the heading.
	Name string
	// Type is series.String, series.Int or series.Float.
	Type series.Type
	// Missing says that values may be missing: an empty field, ? or NA, which
	// become gota NaN.
	Missing bool
	// Identifier marks a column that names the row and says nothing about it;
	// [LoadDataset] leaves it out.
	Identifier bool
	// Levels lists the values of a categorical column in their natural order;
	// nil where the order is that of the alphabet or the column is a number.
	Levels []string
	// LevelNames says in words what each of Levels means, or is nil.
	LevelNames []string
}

// A File is one published file of a set, pinned to its bytes.
type File struct {
	// Name is the file's name at its home and on disk.
	Name string
	// Part is "train" or "test" where the set comes in parts, else "".
	Part string
	// Size is in bytes, SHA256 in lower-case hexadecimal.
	Size   int64
	SHA256 string
	// URL is where the file is downloaded from.
	URL string
	// Rows is the number of data rows.
	Rows int

	layout layout
}

// A Task is what a set is for.
type Task string

// The tasks.
const (
	Classification Task = "classification"
	Regression     Task = "regression"
)

// A Set describes a data set: where it comes from, on which terms, and what its
// columns are.
type Set struct {
	// Name is the short name that [Load] takes.
	Name string
	// Title is its name in full, Description a sentence or two.
	Title, Description string
	// Home is the page that presents it.
	Home string
	// Licence and Citation are as the home states them.
	Licence, Citation string
	// Files are stacked in this order by [Load].
	Files []File
	// Columns are those of the frame, in order.
	Columns []Column
	// Targets names the columns that can be the label or target. The first is
	// the usual one; none of them is a feature.
	Targets []string
	// Task says whether Targets are class labels or real numbers.
	Task Task

	// trainRows splits a set without parts: the first trainRows rows train.
	trainRows int
}

// Rows is the number of data rows of all files together.
func (s Set) Rows() int {
	n := 0
	for _, f := range s.Files {
		n += f.Rows
	}
	return n
}

// Target is the usual label or target column.
func (s Set) Target() string { return s.Targets[0] }

// Features names the columns to learn from: those that neither identify a row
// nor can be its label or target.
func (s Set) Features() []string {
	var names []string
	for _, c := range s.Columns {
		if !c.Identifier && !slices.Contains(s.Targets, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// All returns the sets in alphabetical order of their short names.
func All() []Set { return slices.Clone(catalogue) }

// Names returns the short names in alphabetical order.
func Names() []string {
	names := make([]string, len(catalogue))
	for i, s := range catalogue {
		names[i] = s.Name
	}
	return names
}

// Lookup returns the set of a short name. An unknown name is an error that
// wraps [ErrUnknown] and lists the known ones.
func Lookup(name string) (Set, error) {
	i := slices.IndexFunc(catalogue, func(s Set) bool { return s.Name == name })
	if i < 0 {
		return Set{}, fmt.Errorf("%w %q; the sets are %q", ErrUnknown, name, Names())
	}
	return catalogue[i], nil
}
