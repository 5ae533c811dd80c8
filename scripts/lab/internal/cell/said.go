package cell

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

var (
	// Where a cell's text has no columns, the compiler adds the place in the file.
	cellLine  = regexp.MustCompile(`(?m)(?:[^\s:]*/)?\bcell(\d+):(\d+)(?::\d+)?(?:\[\w+\.go:\d+:\d+\])?`)
	errorLine = regexp.MustCompile(`^(?:[^\s:]*/)?cell(\d+):(\d+)(?::(\d+))?: (.*)$`)
)

// inCells says "cell 3, line 7" in a text of the compiler or of Go's runtime.
func inCells(text string) string {
	return cellLine.ReplaceAllString(text, "cell $1, line $2")
}

// saidOf reads what the compiler or the parser says. An indented line goes on with the one
// before.
func saidOf(text []byte) *Errors {
	e := &Errors{}
	var rest []string
	for line := range bytes.Lines(text) {
		s := strings.TrimRight(string(line), "\r\n ")
		last := len(e.Cells) - 1
		m := errorLine.FindStringSubmatch(s)
		switch {
		case strings.TrimSpace(s) == "", strings.HasPrefix(s, "#"), strings.HasSuffix(s, "too many errors"):
		case m != nil:
			cell, _ := strconv.Atoi(m[1])
			n, _ := strconv.Atoi(m[2])
			column, _ := strconv.Atoi(m[3]) // 0 where there is none
			e.Cells = append(e.Cells, &Error{Cell: cell - 1, Line: n - 1, Column: column, Text: inCells(m[4])})
		case strings.HasPrefix(s, "\t") && last >= 0 && len(rest) == 0:
			e.Cells[last].Text += "; " + inCells(strings.TrimSpace(s))
		default:
			rest = append(rest, inCells(s))
		}
	}
	e.Rest = strings.Join(rest, "\n")
	return e
}
