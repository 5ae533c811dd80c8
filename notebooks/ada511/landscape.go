package ada511

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Landscape is a loss of two parameters over a window, to be drawn like a map
// with the paths of descents on it.
type Landscape struct {
	// Loss is the height at the parameters w, of which there are two.
	Loss func(w []float64) float64
	// Names are those of the parameters: the first goes to the right, the second
	// upwards.
	Names [2]string
	// Low and High are the corners of the window.
	Low, High [2]float64
	// Levels are the losses, in ascending order, at which the map has a contour line and
	// a shade ends; a scale below the map names them. Nil: twelve shades, each of which
	// covers the same area of the window, without lines and scale.
	Levels []float64
	// Minimum, if not nil, is a point that the map marks with a cross.
	Minimum []float64
}

const (
	shades = 12  // of a map without levels, each of which covers the same area
	cells  = 200 // of the map along each side
)

// Draw draws the landscape, darker where the loss is higher, and the paths. A ring is
// where a path starts, its filled marker where it ends. A path that is longer than five
// diagonals of the window, such as that of a noisy descent, is thin and translucent: it is
// dark where it went often.
func (l Landscape) Draw(title string, paths ...plotx.Series) (*plotx.Panel, error) {
	// Lines has the theme. Its one point is in the middle, below the map.
	p, err := plotx.Lines(title, l.Names[0], l.Names[1], plotx.Series{NoLine: true,
		X: []float64{(l.Low[0] + l.High[0]) / 2}, Y: []float64{(l.Low[1] + l.High[1]) / 2}})
	if err != nil {
		return nil, err
	}
	p.ClipX(l.Low[0], l.High[0])
	p.ClipY(l.Low[1], l.High[1])
	loss := l.heights()
	of, n := loss.ranks(), shades
	if l.Levels != nil {
		of, n = loss.levels(l.Levels), len(l.Levels)+1
	}
	ground := plotter.NewHeatMap(of, greys(n))
	ground.Min, ground.Max, ground.Rasterized = 0, float64(n-1), true
	p.Add(ground)
	if l.Levels != nil {
		p.Add(contours{loss, l.Levels})
		p.Keys = append(p.Keys, l.scale()...)
	}
	if l.Minimum != nil {
		cross, err := plotter.NewScatter(plotter.XYs{{X: l.Minimum[0], Y: l.Minimum[1]}})
		if err != nil {
			return nil, err
		}
		cross.GlyphStyle = draw.GlyphStyle{Color: color.Black, Radius: 4, Shape: crossGlyph{}}
		p.Keys = append(p.Keys, plotx.Key{Text: "minimum", Glyph: crossGlyph{}, Color: color.Black})
		defer p.Add(cross) // over the paths
	}
	for i, path := range paths {
		if err := l.addPath(p, i, path); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// scale has a key for each shade of a map with levels.
func (l Landscape) scale() []plotx.Key {
	keys, colors := make([]plotx.Key, len(l.Levels)+1), greys(len(l.Levels)+1).Colors()
	for i := range keys {
		text := "above"
		if i < len(l.Levels) {
			text = fmt.Sprint("to ", l.Levels[i])
		}
		if i == 0 {
			text = "loss " + text
		}
		keys[i] = plotx.Key{Text: text, Glyph: boxGlyph{}, Color: colors[i]}
	}
	return keys
}

func (l Landscape) addPath(p *plotx.Panel, i int, path plotx.Series) error {
	points := make(plotter.XYs, len(path.X))
	for k := range points {
		points[k] = plotter.XY{X: path.X[k], Y: path.Y[k]}
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.LineStyle = draw.LineStyle{Color: plotx.Color(i), Width: vg.Points(1.4)}
	if len(points) == 0 {
		return fmt.Errorf("ada511: path %q: %w: no points", path.Name, mlcore.ErrEmpty)
	}
	var drawn plot.Plotter = line
	if l.diagonals(path) > 5 {
		drawn = cloud{points, draw.LineStyle{Color: faint(plotx.Color(i)), Width: vg.Points(0.5)}}
	}
	start, err := plotter.NewScatter(points[:1])
	if err != nil {
		return err
	}
	start.GlyphStyle = draw.GlyphStyle{Color: plotx.Color(i), Radius: 4, Shape: circleGlyph{}}
	end, err := plotter.NewScatter(points[len(points)-1:])
	if err != nil {
		return err
	}
	end.GlyphStyle = draw.GlyphStyle{Color: plotx.Color(i), Radius: 4, Shape: plotx.Glyph(i)}
	p.Add(drawn, start, end)
	if path.Name != "" {
		p.Keys = append(p.Keys, plotx.Key{Text: path.Name, Glyph: plotx.Glyph(i),
			Line: &line.LineStyle, Color: plotx.Color(i)})
	}
	return nil
}

// diagonals is the length of a path, in diagonals of the window.
func (l Landscape) diagonals(path plotx.Series) (sum float64) {
	width, height := l.High[0]-l.Low[0], l.High[1]-l.Low[1]
	for k := 1; k < len(path.X); k++ {
		sum += math.Hypot(float64((path.X[k]-path.X[k-1])/width), float64((path.Y[k]-path.Y[k-1])/height))
	}
	return sum / math.Sqrt2
}

// heights holds the loss of each cell.
func (l Landscape) heights() *grid {
	g := &grid{l: l, z: make([]float64, cells*cells)}
	for i := range g.z {
		g.z[i] = l.Loss([]float64{g.X(i % cells), g.Y(i / cells)})
	}
	return g
}

// ranks holds the number of the shade of each cell by its rank among all of them.
func (g *grid) ranks() *grid {
	sorted := slices.Sorted(slices.Values(g.z))
	return g.each(func(loss float64) int {
		rank, _ := slices.BinarySearch(sorted, loss)
		return rank * shades / len(sorted)
	})
}

// levels holds for each cell how many of the levels its loss has reached.
func (g *grid) levels(levels []float64) *grid {
	return g.each(func(loss float64) int {
		reached, at := slices.BinarySearch(levels, loss)
		if at {
			reached++
		}
		return reached
	})
}

func (g *grid) each(f func(loss float64) int) *grid {
	shaded := &grid{l: g.l, z: make([]float64, len(g.z))}
	for i, loss := range g.z {
		shaded.z[i] = float64(f(loss))
	}
	return shaded
}

// Starts draws points of the window at random.
func (l Landscape) Starts(n int, seed uint64) [][]float64 {
	rng, starts := mlcore.NewRand(seed), make([][]float64, n)
	for i := range starts {
		starts[i] = make([]float64, 2)
		for j := range starts[i] {
			starts[i][j] = l.Low[j] + float64((l.High[j]-l.Low[j])*rng.Float64())
		}
	}
	return starts
}

// Trail makes a path for Landscape.Draw of the points of a descent.
func Trail(name string, points [][]float64) plotx.Series {
	s := plotx.Series{Name: name}
	for _, w := range points {
		s.X, s.Y = append(s.X, w[0]), append(s.Y, w[1])
	}
	return s
}

// A grid has a number for each cell of a landscape.
type grid struct {
	l Landscape
	z []float64
}

func (g *grid) Dims() (c, r int)   { return cells, cells }
func (g *grid) Z(c, r int) float64 { return g.z[r*cells+c] }
func (g *grid) X(c int) float64    { return g.at(0, c) }
func (g *grid) Y(r int) float64    { return g.at(1, r) }

func (g *grid) at(axis, i int) float64 {
	low, high := g.l.Low[axis], g.l.High[axis]
	return low + float64((high-low)*(float64(i)+0.5)/cells)
}

// contours are the lines of equal loss, by marching squares.
type contours struct {
	*grid
	at []float64
}

// Plot implements plot.Plotter.
func (cs contours) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: color.Gray{Y: 90}, Width: vg.Points(0.35)}
	for _, level := range cs.at {
		for _, s := range cs.segments(level) {
			c.StrokeLine2(style, x(s[0].X), y(s[0].Y), x(s[1].X), y(s[1].Y))
		}
	}
}

// segments crosses each square between four neighbouring cells with at most two pieces of
// the line. An edge is crossed where the straight line between its ends has the level.
func (cs contours) segments(level float64) [][2]plotter.XY {
	var all [][2]plotter.XY
	for r := range cells - 1 {
		for c := range cells - 1 {
			corners := [4][2]int{{c, r}, {c + 1, r}, {c + 1, r + 1}, {c, r + 1}}
			var crossed []plotter.XY
			for k, a := range corners {
				b := corners[(k+1)%4]
				za, zb := cs.Z(a[0], a[1]), cs.Z(b[0], b[1])
				if (za < level) == (zb < level) {
					continue
				}
				part := (level - za) / (zb - za)
				crossed = append(crossed, plotter.XY{
					X: cs.X(a[0]) + float64(part*(cs.X(b[0])-cs.X(a[0]))),
					Y: cs.Y(a[1]) + float64(part*(cs.Y(b[1])-cs.Y(a[1])))})
			}
			for k := 0; k+1 < len(crossed); k += 2 {
				all = append(all, [2]plotter.XY{crossed[k], crossed[k+1]})
			}
		}
	}
	return all
}

// A cloud draws each piece of a path by itself, so that pieces that lie on each other are
// darker.
type cloud struct {
	points plotter.XYs
	style  draw.LineStyle
}

// Plot implements plot.Plotter.
func (d cloud) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for k := 1; k < len(d.points); k++ {
		a, b := d.points[k-1], d.points[k]
		c.StrokeLine2(d.style, x(a.X), y(a.Y), x(b.X), y(b.Y))
	}
}

func faint(c color.RGBA) color.Color { return color.NRGBA{R: c.R, G: c.G, B: c.B, A: 90} }

// crossGlyph is a diagonal cross on a white ground, so that it shows over a marker.
type crossGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (crossGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := style.Radius
	for _, pen := range []draw.LineStyle{{Color: color.White, Width: vg.Points(2.6)}, {Color: style.Color, Width: vg.Points(1.3)}} {
		c.StrokeLine2(pen, at.X-r, at.Y-r, at.X+r, at.Y+r)
		c.StrokeLine2(pen, at.X-r, at.Y+r, at.X+r, at.Y-r)
	}
}

// circleGlyph is a ring that shows on every grey.
type circleGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (circleGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: vg.Points(1.2)})
	var path vg.Path
	path.Move(vg.Point{X: at.X + style.Radius, Y: at.Y})
	path.Arc(at, style.Radius, 0, 2*math.Pi)
	path.Close()
	c.Stroke(path)
}

// boxGlyph is a filled square with a thin edge, for a scale of greys.
type boxGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (boxGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := style.Radius + vg.Points(1)
	box := vg.Rectangle{Min: vg.Point{X: at.X - r, Y: at.Y - r}, Max: vg.Point{X: at.X + r, Y: at.Y + r}}
	c.SetColor(style.Color)
	c.Fill(box.Path())
	c.SetColor(color.Gray{Y: 90})
	c.SetLineWidth(vg.Points(0.35))
	c.Stroke(box.Path())
}

// greys go from white to a grey on which every colour of plotx can be seen.
type greys int

var _ palette.Palette = greys(shades)

func (n greys) Colors() []color.Color {
	colors := make([]color.Color, n)
	for i := range colors {
		colors[i] = color.Gray{Y: uint8(255 - 100*i/(int(n)-1))}
	}
	return colors
}
