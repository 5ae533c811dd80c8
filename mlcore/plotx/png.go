package plotx

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// DPI is the resolution of figures saved or shown as PNG.
const DPI = 200

// maxPixels is what a PNG may hold: drawing takes more than four bytes for each,
// and an unpruned tree can be a hundred metres wide.
const maxPixels = 100e6

// PNG renders the figure at [DPI] dots an inch. The picture has a palette of its
// 256 commonest colours: a figure has few besides the shades of its smoothed
// edges, and comes out a third as large. The bytes are always the same. A figure
// of more than 100 million dots is refused; SVG and PDF have no such limit.
//
// The figure shows □ for a character that its font lacks; see [Picture].
func PNG(f Figure) ([]byte, error) {
	picture, _, err := Picture(f)
	return picture, err
}

// Picture is [PNG] for those who can warn of missing characters: it lists those of the figure's
// texts for which the font has no glyph, ascending. The font, Liberation Sans, has Latin, Greek
// and Cyrillic letters and common signs.
func Picture(f Figure) (picture []byte, missing []rune, err error) {
	w, h, err := checkSize(f)
	if err != nil {
		return nil, nil, err
	}
	if x, y := w.Dots(DPI), h.Dots(DPI); x*y > maxPixels {
		return nil, nil, fmt.Errorf("plotx: %w: a PNG of %.0f×%.0f dots would not fit into memory; draw less (a tree with fewer levels) or save it as SVG", mlcore.ErrConfig, x, y)
	}
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(DPI))
	s := &spelling{CanvasSizer: c}
	f.Draw(draw.New(s))
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(&b, withPalette(c.Image())); err != nil {
		return nil, nil, fmt.Errorf("plotx: encode PNG: %w", err)
	}
	return b.Bytes(), s.missing, nil
}

// withPalette maps every pixel to the nearest of the image's commonest colours.
func withPalette(img image.Image) *image.Paletted {
	b := img.Bounds()
	counts := map[color.RGBA]int{}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			counts[rgba(img, x, y)]++
		}
	}
	colours := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B), int(a.A)-int(b.A))
	})
	palette := make(color.Palette, 0, 256)
	for _, c := range colours[:min(len(colours), 256)] {
		palette = append(palette, c)
	}
	index := make(map[color.RGBA]uint8, len(colours))
	for _, c := range colours {
		index[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(b, palette)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out.SetColorIndex(x, y, index[rgba(img, x, y)])
		}
	}
	return out
}

func rgba(img image.Image, x, y int) color.RGBA {
	if r, ok := img.(*image.RGBA); ok {
		return r.RGBAAt(x, y)
	}
	return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
}
