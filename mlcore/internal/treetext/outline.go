package treetext

import (
	"bufio"
	"io"
)

// An Outline writes lines, each behind as many bars as it is deep, without keeping them:
// together they are as long as the square of the depth.
type Outline struct {
	w    *bufio.Writer
	bars []byte
}

// NewOutline returns an Outline to w.
func NewOutline(w io.Writer) *Outline { return &Outline{w: bufio.NewWriter(w)} }

const bar = "|   "

// Line writes a line.
func (o *Outline) Line(depth int, says string) {
	for len(o.bars) < len(bar)*depth {
		o.bars = append(o.bars, bar...)
	}
	// The first error is that of all that is written after it.
	_, _ = o.w.Write(o.bars[:len(bar)*depth])
	_, _ = o.w.WriteString("|-- " + says + "\n")
}

// Close writes what is left and returns the first error.
func (o *Outline) Close() error { return o.w.Flush() }
