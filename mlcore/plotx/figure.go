package plotx

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/atomicfile"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure is something that can be drawn at its own size: a plot, a grid of
// panels or a tree.
type Figure interface {
	// Size is the figure's natural width and height.
	Size() (width, height vg.Length)
	// Draw draws the figure to fill the canvas.
	Draw(c draw.Canvas)
}

// Sized gives a gonum plot a size and so makes it a Figure.
func Sized(p *plot.Plot, width, height vg.Length) Figure {
	return sized{p, width, height}
}

type sized struct {
	p    *plot.Plot
	w, h vg.Length
}

func (s sized) Size() (width, height vg.Length) { return s.w, s.h }
func (s sized) Draw(c draw.Canvas)              { s.p.Draw(c) }

// checkSize refuses a figure that no format can hold: none, one without an area
// such as a grid of nothing, or one of endless size.
func checkSize(f Figure) (width, height vg.Length, err error) {
	if f == nil {
		return 0, 0, fmt.Errorf("plotx: %w: the figure is nil", mlcore.ErrEmpty)
	}
	width, height = f.Size()
	if !(width > 0 && height > 0) {
		return 0, 0, fmt.Errorf("plotx: %w: a figure of %g×%g points has nothing to draw", mlcore.ErrEmpty, width, height)
	}
	if math.IsInf(float64(width*height), 1) {
		return 0, 0, fmt.Errorf("plotx: %w: a figure of %g×%g points", mlcore.ErrNonFinite, width, height)
	}
	return width, height, nil
}

// Encode renders the figure in the given format: "png", "pdf" or "svg". A program
// that is built with gonum's tag "minimal", as the cells of a notebook are, knows
// "png" alone and links less.
func Encode(f Figure, format string) ([]byte, error) {
	w, h, err := checkSize(f)
	if err != nil {
		return nil, err
	}
	if format == "png" {
		return PNG(f)
	}
	return encodeVector(f, w, h, format)
}

// Save renders the figure to a file whose ending says the format: .png, .pdf or
// .svg. Folders are made as needed; the file is replaced whole or not at all.
func Save(f Figure, path string) error {
	data, err := Encode(f, strings.TrimPrefix(filepath.Ext(path), "."))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, data)
}
