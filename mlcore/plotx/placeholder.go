package plotx

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Placeholder is a square panel for something that is not there yet, with a
// title and a message whose lines are separated by "\n".
func Placeholder(title, message string) Figure { return placeholder{title, message} }

type placeholder struct{ title, message string }

func (placeholder) Size() (width, height vg.Length) { return 3.5 * vg.Inch, 3.5 * vg.Inch }

func (p placeholder) Draw(c draw.Canvas) {
	c.SetColor(canvas)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, 2*margin, -2*margin, 2*margin, -2*margin)
	head := textStyle(11)
	head.XAlign, head.YAlign = draw.XCenter, draw.YTop
	c.FillText(head, vg.Point{X: c.Center().X, Y: c.Max.Y}, p.title)
	c.Max.Y -= 22
	frame := []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}, c.Min}
	c.StrokeLines(draw.LineStyle{Color: ink, Width: 0.6, Dashes: []vg.Length{4, 3}}, frame)
	lines := strings.Split(p.message, "\n")
	for i, l := range lines {
		y := c.Center().Y + 14*(vg.Length(len(lines)-1)/2-vg.Length(i))
		c.FillText(centred(10), vg.Point{X: c.Center().X, Y: y}, l)
	}
}
