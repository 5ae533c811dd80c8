package cits5508

import (
	"fmt"
	"image/color"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Street is a drawing of two classes with the lines w·x + b = 0 and w·x + b = ±1.
type Street struct {
	// Data has two features and two classes.
	Data *mlcore.Dataset
	// W and B are those of the decision function w·x + b.
	W []float64
	B float64
	// Title stands above the drawing.
	Title string
	// Marked are the rows that get a ring, and Mark says in the legend what they are.
	Marked []int
	Mark   string
	// Support are the support vectors of a machine that [FitStreet] has trained.
	Support []int
}

var (
	ink     = color.RGBA{0x22, 0x22, 0x22, 0xff}
	asphalt = color.RGBA{0, 0, 0, 0x14} // lets the samples show through
)

// Panel is the drawing, ready for nbkit.Show and nbkit.ShowGrid. It panics where
// the samples cannot be drawn in a plane, as a cell would.
func (s Street) Panel() *plotx.Panel {
	p, err := plotx.Scatter(s.Data, s.Title)
	if err != nil {
		panic(fmt.Errorf("cits5508: %w", err))
	}
	x0, x1, y0, y1 := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	if floats.Norm(s.W, 2) > 0 {
		far := 2 * math.Hypot(math.Max(math.Abs(x0), math.Abs(x1)), math.Max(math.Abs(y0), math.Abs(y1)))
		low, high := s.line(-1, far), s.line(1, far)
		band, err := plotter.NewPolygon(plotter.XYs{low[0], low[1], high[1], high[0]})
		if err != nil {
			panic(fmt.Errorf("cits5508: the street: %w", err))
		}
		band.Color, band.LineStyle.Width = asphalt, 0
		p.Add(band)
		addLine(p, low, true, "")
		addLine(p, high, true, "w·x + b = ±1")
		addLine(p, s.line(0, far), false, "w·x + b = 0")
	}
	if len(s.Marked) > 0 {
		s.addRings(p)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
	return p
}

// line is a piece of the line w·x + b = level that reaches at least as far as the
// given distance to both sides of the foot of its perpendicular.
func (s Street) line(level, far float64) plotter.XYs {
	norm := math.Hypot(s.W[0], s.W[1])
	at := (level - s.B) / (norm * norm)
	x, y := at*s.W[0], at*s.W[1]
	dx, dy := -far*s.W[1]/norm, far*s.W[0]/norm
	return plotter.XYs{{X: x - dx, Y: y - dy}, {X: x + dx, Y: y + dy}}
}

func addLine(p *plotx.Panel, at plotter.XYs, dashed bool, name string) {
	line, err := plotter.NewLine(at)
	if err != nil {
		panic(fmt.Errorf("cits5508: the street: %w", err))
	}
	line.LineStyle = draw.LineStyle{Color: ink, Width: vg.Points(1.2)}
	if dashed {
		line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	}
	p.Add(line)
	if name != "" {
		p.Keys = append(p.Keys, plotx.Key{Text: name, Line: &line.LineStyle})
	}
}

func (s Street) addRings(p *plotx.Panel) {
	at := make(plotter.XYs, len(s.Marked))
	for k, row := range s.Marked {
		at[k] = plotter.XY{X: s.Data.X.At(row, 0), Y: s.Data.X.At(row, 1)}
	}
	rings, err := plotter.NewScatter(at)
	if err != nil {
		panic(fmt.Errorf("cits5508: the marked samples: %w", err))
	}
	rings.GlyphStyle = draw.GlyphStyle{Color: ink, Radius: 5, Shape: draw.RingGlyph{}}
	p.Add(rings)
	p.Keys = append(p.Keys, plotx.Key{Text: s.Mark, Glyph: draw.RingGlyph{}, Color: ink})
}
