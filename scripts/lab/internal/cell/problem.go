package cell

import (
	"fmt"
	"strings"
)

// An Error is something wrong with a line of a cell: what the parser, the compiler or the
// rules for a student's code say.
type Error struct {
	Cell, Line int // both from 0
	Column     int // in bytes from 1; 0: not known
	Text       string
	// Forbidden says that it is right Go, but not for a student's cell.
	Forbidden bool
}

// Error counts from 1, as readers do.
func (e *Error) Error() string {
	return fmt.Sprintf("cell %d, line %d: %s", e.Cell+1, e.Line+1, e.Text)
}

// Errors are why cells make no program.
type Errors struct {
	Cells []*Error // in the order of the compiler's words
	// Rest is what concerns no cell, in lines.
	Rest string
	// Stopped says that the compiler was stopped: it took too long, or too much.
	Stopped bool
}

func (e *Errors) Error() string {
	var lines []string
	for _, c := range e.Cells {
		lines = append(lines, c.Error())
	}
	if e.Rest != "" {
		lines = append(lines, e.Rest)
	}
	return strings.Join(lines, "\n")
}

func oneError(cell, line int, format string, args ...any) *Errors {
	return &Errors{Cells: []*Error{{Cell: cell, Line: line, Text: fmt.Sprintf(format, args...)}}}
}
