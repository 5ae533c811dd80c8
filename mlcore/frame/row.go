package frame

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// A rowError is about one row of a table. A CSV says in which line of a file that is.
type rowError struct {
	prefix string
	row    int
	format string // {row} stands for the place
	args   []any
}

func inRow(row int, format string, args ...any) error { return &rowError{"", row, format, args} }

// at is the error with another name for the row, such as "line 7".
func (e *rowError) at(place string) error {
	return fmt.Errorf("%s"+strings.Replace(e.format, "{row}", place, 1), slices.Concat([]any{e.prefix}, e.args)...)
}

func (e *rowError) Error() string { return e.at(fmt.Sprint("row ", e.row)).Error() }

func (e *rowError) Unwrap() error { return errors.Unwrap(e.at("")) }

// named puts the Dataset's name before an error.
func named(name string, err error) error {
	prefix := given.Prefix(name)
	if e, ok := err.(*rowError); ok {
		return &rowError{prefix, e.row, e.format, e.args}
	}
	return fmt.Errorf("%s%w", prefix, err)
}
