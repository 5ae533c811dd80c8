package ada511

import (
	"fmt"
	"image/color"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Box is the part of the plane that belongs to a leaf of a tree, and what the
// leaf holds.
type Box struct {
	// Low and High are the ends of the box for both features. They may be infinite.
	Low, High [2]float64
	// Counts is how many training samples of each class the leaf has.
	Counts []float64
}

// Outline draws boxes over a class map, each with its counts in the middle of the
// part that can be seen, and returns the map.
func Outline(panel *plotx.Panel, boxes []Box) *plotx.Panel {
	panel.Add(outlines(boxes))
	return panel
}

type outlines []Box

// Plot implements plot.Plotter.
func (o outlines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: color.Black, Width: vg.Points(1.2), Dashes: []vg.Length{vg.Points(4), vg.Points(2)}}
	style := p.X.Label.TextStyle
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	for _, b := range o {
		left, right := x(max(b.Low[0], p.X.Min)), x(min(b.High[0], p.X.Max))
		low, high := y(max(b.Low[1], p.Y.Min)), y(min(b.High[1], p.Y.Max))
		if right <= left || high <= low {
			continue // not within the axes
		}
		corners := []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}, {X: left, Y: low}}
		c.StrokeLines(line, corners)
		label := fmt.Sprintf("%.0f", b.Counts)
		middle, size := vg.Point{X: (left + right) / 2, Y: (low + high) / 2}, style.Rectangle(label)
		pad := vg.Points(2)
		white := []vg.Point{{X: middle.X + size.Min.X - pad, Y: middle.Y + size.Min.Y - pad}, {X: middle.X + size.Max.X + pad, Y: middle.Y + size.Min.Y - pad},
			{X: middle.X + size.Max.X + pad, Y: middle.Y + size.Max.Y + pad}, {X: middle.X + size.Min.X - pad, Y: middle.Y + size.Max.Y + pad}}
		c.FillPolygon(color.White, white)
		c.FillText(style, middle, label)
	}
}
