package plotx

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Series is one curve of [Lines].
type Series struct {
	Name string
	// X and Y are the points, in drawing order.
	X, Y []float64
	// Err, if not nil, holds the half-length of a vertical bar at each point,
	// such as a standard error.
	Err []float64
	// Dots draws markers; NoLine leaves the line out; Steps joins the points by
	// steps, the value holding to the right.
	Dots, NoLine, Steps bool
	// Dashed draws a broken line, for a reference or a limit.
	Dashed bool
	// Marks are the indices of points that get a large marker, such as those that
	// [Lowest] returns.
	Marks []int

	dashes []vg.Length
}

// dashes tell curves without markers apart where colour cannot be seen.
var dashes = [][]vg.Length{nil, {9, 2}, {6, 2, 1.5, 2}, {2, 1.5}}

// Lowest returns the indices of all points that are as low as the lowest, in rising
// order: where a curve has several equal minima, [Series].Marks shows them all.
func Lowest(y []float64) []int {
	var at []int
	for i, v := range y {
		if len(at) > 0 && v < y[at[0]] {
			at = at[:0]
		}
		if len(at) == 0 || v == y[at[0]] {
			at = append(at, i)
		}
	}
	return at
}

// Lines draws curves, each in a colour, a dash and a marker of its own.
func Lines(title, xLabel, yLabel string, series ...Series) (*Panel, error) {
	if len(series) == 0 {
		return nil, fmt.Errorf("plotx: lines %q: %w: no series", title, mlcore.ErrEmpty)
	}
	p := newPanel(title, xLabel, yLabel)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	p.Add(grid)
	for i, s := range series {
		if !s.Dots {
			s.dashes = dashes[i%len(dashes)]
		}
		if err := p.addSeries(i, s); err != nil {
			return nil, fmt.Errorf("plotx: lines %q, series %q: %w", title, s.Name, err)
		}
	}
	return p, nil
}

func (p *Panel) addSeries(i int, s Series) error {
	if len(s.X) != len(s.Y) || (s.Err != nil && len(s.Err) != len(s.Y)) {
		return fmt.Errorf("%w: %d x, %d y and %d error values", mlcore.ErrShape, len(s.X), len(s.Y), len(s.Err))
	}
	pts := make(plotter.XYs, len(s.X))
	for k := range s.X {
		pts[k] = plotter.XY{X: s.X[k], Y: s.Y[k]}
	}
	key := Key{Text: s.Name, Color: Color(i)}
	if s.Err != nil {
		bars, err := plotter.NewYErrorBars(withErrors(pts, s.Err))
		if err != nil {
			return err
		}
		bars.LineStyle = draw.LineStyle{Color: Color(i), Width: vg.Points(0.8)}
		p.Add(upright{bars})
	}
	if !s.NoLine {
		drawn := pts
		if s.Steps {
			drawn = stairs(pts)
		}
		line, err := plotter.NewLine(drawn)
		if err != nil {
			return err
		}
		line.LineStyle = draw.LineStyle{Color: Color(i), Width: vg.Points(1.5), Dashes: s.dashes}
		if s.Dashed {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		p.Add(polyline{line})
		key.Line = &line.LineStyle
	}
	if s.Dots || s.NoLine {
		dots, err := plotter.NewScatter(pts)
		if err != nil {
			return err
		}
		dots.GlyphStyle = glyphStyle(i, Color(i), 2.6)
		p.Add(dots)
		key.Glyph = Glyph(i)
	}
	if len(s.Marks) > 0 {
		marked := make(plotter.XYs, len(s.Marks))
		for k, at := range s.Marks {
			if at < 0 || at >= len(pts) {
				return fmt.Errorf("%w: a mark at point %d of %d", mlcore.ErrShape, at, len(pts))
			}
			marked[k] = pts[at]
		}
		marks, err := plotter.NewScatter(marked)
		if err != nil {
			return err
		}
		marks.GlyphStyle = glyphStyle(i, Color(i), 4)
		p.Add(marks)
		key.Glyph = Glyph(i)
	}
	if s.Name != "" {
		p.Keys = append(p.Keys, key)
	}
	return nil
}

// stairs inserts the corner of each step. A plotter.Line with a step style would
// insert them only after it has cut the slanting line off at the axes.
func stairs(pts plotter.XYs) plotter.XYs {
	var out plotter.XYs
	for i, at := range pts {
		if i > 0 {
			out = append(out, plotter.XY{X: at.X, Y: pts[i-1].Y})
		}
		out = append(out, at)
	}
	return out
}

// upright are error bars of which those beside the axes are not drawn, as [Panel.ClipX]
// has it; gonum cuts them off above and below alone.
type upright struct{ *plotter.YErrorBars }

func (u upright) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	shown := *u.YErrorBars
	shown.XYs, shown.YErrors = nil, nil
	for i, at := range u.XYs {
		if c.ContainsX(trX(at.X)) {
			shown.XYs, shown.YErrors = append(shown.XYs, at), append(shown.YErrors, u.YErrors[i])
		}
	}
	shown.Plot(c, p)
}

type xyErrors struct {
	plotter.XYs
	half []float64
}

func withErrors(pts plotter.XYs, half []float64) xyErrors { return xyErrors{pts, half} }

func (e xyErrors) YError(i int) (low, high float64) { return e.half[i], e.half[i] }
