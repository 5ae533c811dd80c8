package plotx

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Panel is a gonum plot with a size and a legend strip below it, where it
// cannot hide data. The constructors of this package return panels; the
// embedded plot is there to be adjusted before it is drawn.
type Panel struct {
	*plot.Plot
	// Keys are the entries of the legend strip, drawn in this order.
	Keys []Key
	// Width and Height are the natural size, 4.6 by 3.4 inches unless set.
	Width, Height vg.Length
	// Square makes one unit of x as long as one unit of y by shrinking the
	// plot within its canvas.
	Square bool
	// Rules are straight lines across the panel, and Arrows upright arrows in it. Both
	// are drawn over the data.
	Rules  []Rule
	Arrows []Arrow
}

// A Key is one entry of a legend strip: a marker, a line, or both, and a text.
type Key struct {
	Text  string
	Glyph draw.GlyphDrawer // nil: no marker
	Line  *draw.LineStyle  // nil: no line
	Color color.Color
}

func newPanel(title, x, y string) *Panel {
	return &Panel{Plot: newPlot(title, x, y), Width: 4.6 * vg.Inch, Height: 3.4 * vg.Inch}
}

// Resize sets the natural size in inches and returns the panel.
func (p *Panel) Resize(width, height float64) *Panel {
	p.Width, p.Height = vg.Length(width)*vg.Inch, vg.Length(height)*vg.Inch
	return p
}

// Size implements [Figure].
func (p *Panel) Size() (width, height vg.Length) { return p.Width, p.Height }

const margin = vg.Length(6)

// Draw implements [Figure].
func (p *Panel) Draw(c draw.Canvas) { p.drawWith(p.legend(), c) }

// drawWith draws the panel with the given legend.
func (p *Panel) drawWith(keys []Key, c draw.Canvas) {
	if p.BackgroundColor != nil {
		c.SetColor(p.BackgroundColor)
		c.Fill(c.Rectangle.Path())
	}
	// A panel whose right-most tick label is wider than half a tick needs room
	// on the right that gonum does not reserve.
	c = draw.Crop(c, margin, -margin, margin, -margin)
	strip := keyStrip{keys, textStyle(9)}
	h := strip.height(c.Max.X - c.Min.X)
	body := c
	body.Min.Y += h
	// gonum would centre the title over the canvas with all tick labels.
	plain, own := *p.Plot, *p
	showable(&plain.X)
	showable(&plain.Y)
	ranged := plain
	own.Plot = &ranged
	p = &own
	plain.Title.Text = ""
	titled := 0 * vg.Inch
	if p.Title.Text != "" {
		titled = p.Title.TextStyle.Rectangle(p.Title.Text).Size().Y + p.Title.Padding
	}
	body.Max.Y -= titled
	label := sideLabel{}
	if _, ok := p.Y.Scale.(logScale); ok {
		label = takeSideLabel(&plain)
		body.Min.X += label.width
	}
	if p.Square {
		body = squared(&plain, body)
	}
	data := plain.DataCanvas(body)
	plain.BackgroundColor = nil
	plain.Draw(body)
	label.draw(c, body.Min.X, data)
	p.drawRules(data)
	p.drawArrows(data)
	if p.Title.Text != "" {
		// As near to the middle of the axes as the canvas lets it.
		half := p.Title.TextStyle.Width(p.Title.Text) / 2
		x := min(max((data.Min.X+data.Max.X)/2, c.Min.X+half), max(c.Max.X-half, c.Min.X+half))
		sty := p.Title.TextStyle
		sty.XAlign = draw.XCenter
		c.FillText(sty, vg.Point{X: x, Y: body.Max.Y + titled + sty.FontExtents().Descent}, p.Title.Text)
	}
	strip.draw(c, h)
}

// sideLabel is the label of a logarithmic y axis. gonum reserves room for it as if its
// middle were where the mean of the axis' ends is, which is near the upper end of such
// an axis, so that a label of some length would push the axis down and leave a gap
// below the title.
type sideLabel struct {
	text  string
	style text.Style
	width vg.Length // of the column that the label takes up
}

// takeSideLabel takes the label off the y axis.
func takeSideLabel(p *plot.Plot) sideLabel {
	l := p.Y.Label
	if l.Text == "" {
		return sideLabel{}
	}
	p.Y.Label.Text = ""
	return sideLabel{l.Text, l.TextStyle, l.TextStyle.Height(l.Text) + l.TextStyle.FontExtents().Descent + l.Padding}
}

// draw draws the label to the left of x, half-way up the data.
func (l sideLabel) draw(c draw.Canvas, x vg.Length, data draw.Canvas) {
	if l.text == "" {
		return
	}
	sty := l.style
	left := x - l.width + sty.Height(l.text) - sty.FontExtents().Descent
	sty.Rotation += math.Pi / 2
	c.FillText(sty, vg.Point{X: left, Y: data.Center().Y}, l.text)
}

// squared shrinks the canvas so that x and y units come out equal.
func squared(p *plot.Plot, c draw.Canvas) draw.Canvas {
	data := p.DataCanvas(c)
	w, h := data.Max.X-data.Min.X, data.Max.Y-data.Min.Y
	dx, dy := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
	if dx <= 0 || dy <= 0 || w <= 0 || h <= 0 {
		return c
	}
	perX, perY := w/vg.Length(dx), h/vg.Length(dy)
	if least, most := min(perX, perY), max(perX, perY); !(least > 0 && most <= math.MaxFloat64) {
		return c // of units too large or too small
	}
	if perX > perY {
		trim := (w - perY*vg.Length(dx)) / 2
		return draw.Crop(c, trim, -trim, 0, 0)
	}
	trim := (h - perX*vg.Length(dy)) / 2
	return draw.Crop(c, 0, 0, trim, -trim)
}

// keyStrip lays keys out from left to right, in as many centred rows as needed.
type keyStrip struct {
	keys  []Key
	style text.Style
}

const (
	keyRow  = vg.Length(14)
	keyMark = vg.Length(18)
	keyGap  = vg.Length(14)
)

func (s keyStrip) rows(width vg.Length) [][]Key {
	var rows [][]Key
	used := vg.Length(0)
	for _, k := range s.keys {
		w := s.keyWidth(k)
		if len(rows) == 0 || used+w > width {
			rows = append(rows, nil)
			used = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		used += w
	}
	return rows
}

func (s keyStrip) keyWidth(k Key) vg.Length { return keyMark + s.style.Width(k.Text) + keyGap }

func (s keyStrip) height(width vg.Length) vg.Length {
	return keyRow * vg.Length(len(s.rows(width)))
}

func (s keyStrip) draw(c draw.Canvas, height vg.Length) {
	y := c.Min.Y + height - keyRow/2
	for _, row := range s.rows(c.Max.X - c.Min.X) {
		total := -keyGap
		for _, k := range row {
			total += s.keyWidth(k)
		}
		x := (c.Min.X + c.Max.X - total) / 2
		for _, k := range row {
			if k.Line != nil {
				c.StrokeLine2(*k.Line, x, y, x+keyMark-4, y)
			}
			if k.Glyph != nil {
				c.DrawGlyphNoClip(draw.GlyphStyle{Color: k.Color, Radius: 3, Shape: k.Glyph}, vg.Point{X: x + (keyMark-4)/2, Y: y})
			}
			sty := s.style
			sty.YAlign = -0.45
			c.FillText(sty, vg.Point{X: x + keyMark, Y: y}, k.Text)
			x += s.keyWidth(k)
		}
		y -= keyRow
	}
}
