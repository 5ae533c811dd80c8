package plotx

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grid arranges figures in rows of the given number of columns, reading order,
// under an optional title. All cells are as large as the largest figure; a nil
// figure leaves its cell empty. columns below 1 counts as 1.
func Grid(title string, columns int, figures ...Figure) Figure {
	columns = max(columns, 1)
	g := grid{title: title, columns: min(columns, max(len(figures), 1)), figures: figures}
	for _, f := range figures {
		if f != nil {
			w, h := f.Size()
			g.cellW, g.cellH = max(g.cellW, w), max(g.cellH, h)
		}
	}
	return g
}

type grid struct {
	title        string
	columns      int
	figures      []Figure
	cellW, cellH vg.Length
}

const gridTitle = vg.Length(26)

func (g grid) rows() int { return (len(g.figures) + g.columns - 1) / g.columns }

func (g grid) Size() (width, height vg.Length) {
	height = g.cellH * vg.Length(g.rows())
	if g.title != "" {
		height += gridTitle
	}
	return g.cellW * vg.Length(g.columns), height
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
		f.Draw(cell)
	}
}
