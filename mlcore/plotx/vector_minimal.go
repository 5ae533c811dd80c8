//go:build minimal

package plotx

import (
	"fmt"

	"gonum.org/v1/plot/vg"
)

// encodeVector has no format to offer.
func encodeVector(_ Figure, _, _ vg.Length, format string) ([]byte, error) {
	if format == "pdf" || format == "svg" {
		return nil, fmt.Errorf("plotx: no figure format %q in a program built with the tag minimal, as a notebook's cells are; use png", format)
	}
	return nil, fmt.Errorf("plotx: no figure format %q; use png", format)
}
