//go:build !minimal

package plotx

import (
	"bytes"
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// encodeVector renders the figure without dots.
func encodeVector(f Figure, w, h vg.Length, format string) ([]byte, error) {
	var b bytes.Buffer
	switch format {
	case "pdf":
		c := vgpdf.New(w, h)
		c.EmbedFonts(true)
		f.Draw(draw.New(&spelling{CanvasSizer: c}))
		if _, err := c.WriteTo(&b); err != nil {
			return nil, fmt.Errorf("plotx: encode PDF: %w", err)
		}
	case "svg":
		c := vgsvg.New(w, h)
		f.Draw(draw.New(&spelling{CanvasSizer: c}))
		if _, err := c.WriteTo(&b); err != nil {
			return nil, fmt.Errorf("plotx: encode SVG: %w", err)
		}
	default:
		return nil, fmt.Errorf("plotx: no figure format %q; use png, pdf or svg", format)
	}
	return b.Bytes(), nil
}
