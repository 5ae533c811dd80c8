package ada511

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
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
}

const (
	shades = 12  // of the map, each of which covers the same area
	cells  = 200 // of the map along each side
)

// Draw draws the landscape, darker where the loss is higher, and the paths. Each of
// the shades covers the same area of the window, so that flat parts show too. A ring
// is where a path starts, its filled marker where it ends.
func (l Landscape) Draw(title string, paths ...plotx.Series) (*plotx.Panel, error) {
	// Lines has the theme. Its one point is in the middle, below the map.
	p, err := plotx.Lines(title, l.Names[0], l.Names[1], plotx.Series{NoLine: true,
		X: []float64{(l.Low[0] + l.High[0]) / 2}, Y: []float64{(l.Low[1] + l.High[1]) / 2}})
	if err != nil {
		return nil, err
	}
	p.ClipX(l.Low[0], l.High[0])
	p.ClipY(l.Low[1], l.High[1])
	ground := plotter.NewHeatMap(l.bands(), greys{})
	ground.Min, ground.Max, ground.Rasterized = 0, shades-1, true
	p.Add(ground)
	for i, path := range paths {
		if err := addPath(p, i, path); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func addPath(p *plotx.Panel, i int, path plotx.Series) error {
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
	start, err := plotter.NewScatter(points[:1])
	if err != nil {
		return err
	}
	start.GlyphStyle = draw.GlyphStyle{Color: plotx.Color(i), Radius: 4, Shape: draw.RingGlyph{}}
	end, err := plotter.NewScatter(points[len(points)-1:])
	if err != nil {
		return err
	}
	end.GlyphStyle = draw.GlyphStyle{Color: plotx.Color(i), Radius: 4, Shape: plotx.Glyph(i)}
	p.Add(line, start, end)
	if path.Name != "" {
		p.Keys = append(p.Keys, plotx.Key{Text: path.Name, Glyph: plotx.Glyph(i),
			Line: &line.LineStyle, Color: plotx.Color(i)})
	}
	return nil
}

// bands holds the number of the shade of each cell: its rank among all of them.
func (l Landscape) bands() *banded {
	b := &banded{l: l, shade: make([]float64, cells*cells)}
	for i := range b.shade {
		b.shade[i] = l.Loss([]float64{b.X(i % cells), b.Y(i / cells)})
	}
	sorted := slices.Sorted(slices.Values(b.shade))
	for i, loss := range b.shade {
		rank, _ := slices.BinarySearch(sorted, loss)
		b.shade[i] = float64(rank * shades / len(sorted))
	}
	return b
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

type banded struct {
	l     Landscape
	shade []float64
}

func (b *banded) Dims() (c, r int)   { return cells, cells }
func (b *banded) Z(c, r int) float64 { return b.shade[r*cells+c] }
func (b *banded) X(c int) float64    { return b.at(0, c) }
func (b *banded) Y(r int) float64    { return b.at(1, r) }

func (b *banded) at(axis, i int) float64 {
	low, high := b.l.Low[axis], b.l.High[axis]
	return low + float64((high-low)*(float64(i)+0.5)/cells)
}

// greys go from white to a grey on which every colour of plotx can be seen.
type greys struct{}

var _ palette.Palette = greys{}

func (greys) Colors() []color.Color {
	colors := make([]color.Color, shades)
	for i := range colors {
		y := uint8(255 - 100*i/(shades-1))
		colors[i] = color.Gray{Y: y}
	}
	return colors
}
