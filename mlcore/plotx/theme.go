package plotx

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The palette of Okabe & Ito (2008), "Color universal design", reordered so that
// the first few differ in lightness too and survive a grey print.
var palette = []color.RGBA{
	{0x00, 0x72, 0xB2, 0xff}, // blue
	{0xE6, 0x9F, 0x00, 0xff}, // orange
	{0x00, 0x9E, 0x73, 0xff}, // bluish green
	{0xCC, 0x79, 0xA7, 0xff}, // reddish purple
	{0xD5, 0x5E, 0x00, 0xff}, // vermillion
	{0x56, 0xB4, 0xE9, 0xff}, // sky blue
	{0xF0, 0xE4, 0x42, 0xff}, // yellow
	grey,
}

var (
	ink    = color.RGBA{0x22, 0x22, 0x22, 0xff}
	grey   = color.RGBA{0x55, 0x55, 0x55, 0xff}
	faint  = color.RGBA{0xE4, 0xE4, 0xE4, 0xff}
	canvas = color.White
)

// Color is the colour of class or series i. Colours repeat after eight; the
// shapes of [Glyph] repeat after seven, so pairs stay distinct up to 56.
func Color(i int) color.RGBA { return palette[wrap(i, len(palette))] }

// Tint is [Color] mixed with white: 0 is white, 1 the full colour.
func Tint(i int, strength float64) color.RGBA {
	c := Color(i)
	mix := func(v uint8) uint8 { return uint8(math.Round(255 + strength*(float64(v)-255))) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xff}
}

// groundStrengths are those of [Ground]. Chosen for the first five, so that their
// greys differ: 201, 225, 180, 244 and 171 of 255.
var groundStrengths = []float64{0.32, 0.32, 0.5, 0.11, 0.62, 0.32, 0.32, 0.32}

// Ground is the pale colour of class i in a [ClassMap]: a [Tint], of a strength that
// keeps neighbours apart in a grey print.
func Ground(i int) color.RGBA { return Tint(i, groundStrengths[wrap(i, len(palette))]) }

func wrap(i, n int) int { return ((i % n) + n) % n }

var faceFont = font.Font{Typeface: "Liberation", Variant: "Sans"}

// textStyle is regular weight throughout: gonum's PDF canvas cannot switch to
// bold, and a figure should look the same in every format.
func textStyle(size vg.Length) text.Style {
	return text.Style{Color: ink, Font: font.From(faceFont, size), Handler: plot.DefaultTextHandler}
}

// newPlot is a gonum plot in the theme of the house.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = canvas
	p.Title.Text = title
	p.Title.Padding = vg.Points(6)
	p.Title.TextStyle = textStyle(11)
	p.Title.TextStyle.XAlign = draw.XCenter
	p.Title.TextStyle.YAlign = draw.YTop
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = font.From(faceFont, 10)
		a.Label.TextStyle.Color = ink
		a.Tick.Label.Font = font.From(faceFont, 8.5)
		a.Tick.Label.Color = ink
		a.LineStyle.Color = ink
		a.LineStyle.Width = vg.Points(0.6)
		a.Tick.LineStyle.Color = ink
		a.Tick.LineStyle.Width = vg.Points(0.6)
		a.Tick.Length = vg.Points(4)
		a.Tick.Marker = steps{}
		a.Padding = vg.Points(3)
	}
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.X.Label.Padding, p.Y.Label.Padding = vg.Points(3), vg.Points(3)
	return p
}

// shapes are drawn as polygons on the unit circle, filled and outlined, so that
// a class is told by its shape where colour cannot be seen.
var shapes = [][]vg.Point{
	regular(24, 0, 0.95),
	regular(4, math.Pi/4, 1.15),
	regular(3, math.Pi/2, 1.25),
	regular(4, 0, 1.2),
	regular(3, -math.Pi/2, 1.25),
	star(5),
	cross(0.4),
}

// Glyph is the marker of class or series i: a filled shape with a dark edge.
func Glyph(i int) draw.GlyphDrawer { return shape{shapes[wrap(i, len(shapes))]} }

type shape struct{ outline []vg.Point }

func (s shape) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	var p vg.Path
	for i, o := range s.outline {
		q := vg.Point{X: at.X + o.X*sty.Radius, Y: at.Y + o.Y*sty.Radius}
		if i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	p.Close()
	c.SetColor(sty.Color)
	c.Fill(p)
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: vg.Points(0.5)})
	c.Stroke(p)
}

func regular(n int, phase, radius float64) []vg.Point {
	pts := make([]vg.Point, n)
	for i := range pts {
		a := phase + 2*math.Pi*float64(i)/float64(n)
		pts[i] = vg.Point{X: vg.Length(radius * math.Cos(a)), Y: vg.Length(radius * math.Sin(a))}
	}
	return pts
}

func star(n int) []vg.Point {
	pts := make([]vg.Point, 2*n)
	for i := range pts {
		r := 1.35
		if i%2 == 1 {
			r = 0.6
		}
		a := math.Pi/2 + math.Pi*float64(i)/float64(n)
		pts[i] = vg.Point{X: vg.Length(r * math.Cos(a)), Y: vg.Length(r * math.Sin(a))}
	}
	return pts
}

func cross(arm vg.Length) []vg.Point {
	const r = 1.15
	return []vg.Point{
		{X: -arm, Y: r}, {X: arm, Y: r}, {X: arm, Y: arm}, {X: r, Y: arm}, {X: r, Y: -arm}, {X: arm, Y: -arm},
		{X: arm, Y: -r}, {X: -arm, Y: -r}, {X: -arm, Y: -arm}, {X: -r, Y: -arm}, {X: -r, Y: arm}, {X: -arm, Y: arm},
	}
}
