package plotx

import (
	"reflect"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grid arranges figures in rows of the given number of columns, reading order,
// under an optional title. All cells are as large as the largest figure; a nil
// figure leaves its cell empty. columns below 1 counts as 1. Where panels have the
// same legend, or parts of one, it is drawn once below all of them.
func Grid(title string, columns int, figures ...Figure) Figure {
	columns = max(columns, 1)
	g := grid{title: title, columns: min(columns, max(len(figures), 1)), figures: figures}
	for _, f := range figures {
		if f != nil {
			w, h := f.Size()
			g.cellW, g.cellH = max(g.cellW, w), max(g.cellH, h)
		}
	}
	g.keys = keyStrip{sharedLegend(figures), textStyle(9)}
	if len(g.keys.keys) > 0 {
		// The plots keep their height: the legend below the cells is no longer in them.
		g.cellH -= g.keys.height(g.cellW)
	}
	return g
}

type grid struct {
	title        string
	columns      int
	figures      []Figure
	cellW, cellH vg.Length
	keys         keyStrip // the legend that all panels share, if they do
}

// sharedLegend returns the longest legend of the panels if at least two have one and
// all entries of the others are entries of it.
func sharedLegend(figures []Figure) []Key {
	var legends [][]Key
	longest := 0
	for _, f := range figures {
		if p, ok := f.(*Panel); ok && p != nil {
			if keys := p.legend(); len(keys) > 0 {
				legends = append(legends, keys)
				if len(keys) > len(legends[longest]) {
					longest = len(legends) - 1
				}
			}
		}
	}
	if len(legends) < 2 {
		return nil
	}
	for _, keys := range legends {
		for _, k := range keys {
			if !slices.ContainsFunc(legends[longest], func(l Key) bool { return reflect.DeepEqual(k, l) }) {
				return nil
			}
		}
	}
	return legends[longest]
}

const gridTitle = vg.Length(26)

func (g grid) rows() int { return (len(g.figures) + g.columns - 1) / g.columns }

func (g grid) Size() (width, height vg.Length) {
	width, height = g.cellW*vg.Length(g.columns), g.cellH*vg.Length(g.rows())
	if g.title != "" {
		height += gridTitle
	}
	return width, height + g.legendHeight(width)
}

// legendHeight is that of the shared legend in a grid of a width, with some space
// below it.
func (g grid) legendHeight(width vg.Length) vg.Length {
	if len(g.keys.keys) == 0 {
		return 0
	}
	return g.keys.height(width-2*margin) + margin
}

func (g grid) Draw(c draw.Canvas) {
	c.SetColor(canvas)
	c.Fill(c.Rectangle.Path())
	if g.title != "" {
		sty := textStyle(13)
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		c.FillText(sty, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Max.Y - 6}, g.title)
		c.Max.Y -= gridTitle
	}
	if h := g.legendHeight(c.Max.X - c.Min.X); h > 0 {
		g.keys.draw(draw.Crop(c, margin, -margin, margin, 0), h-margin)
		c.Min.Y += h
	}
	w := (c.Max.X - c.Min.X) / vg.Length(g.columns)
	h := (c.Max.Y - c.Min.Y) / vg.Length(max(g.rows(), 1))
	for i, f := range g.figures {
		if f == nil {
			continue
		}
		row, col := i/g.columns, i%g.columns
		cell := c
		cell.Min = vg.Point{X: c.Min.X + vg.Length(col)*w, Y: c.Max.Y - vg.Length(row+1)*h}
		cell.Max = vg.Point{X: cell.Min.X + w, Y: cell.Min.Y + h}
		if p, ok := f.(*Panel); ok && len(g.keys.keys) > 0 {
			p.drawWith(nil, cell)
			continue
		}
		f.Draw(cell)
	}
}
