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
		p.Add(bars)
	}
	if !s.NoLine {
		line, err := plotter.NewLine(pts)
		if err != nil {
			return err
		}
		line.LineStyle = draw.LineStyle{Color: Color(i), Width: vg.Points(1.5)}
		if s.Dashed {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		if s.Steps {
			line.StepStyle = plotter.PostStep
		}
		p.Add(line)
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
	if s.Name != "" {
		p.Keys = append(p.Keys, key)
	}
	return nil
}

type xyErrors struct {
	plotter.XYs
	half []float64
}

func withErrors(pts plotter.XYs, half []float64) xyErrors { return xyErrors{pts, half} }

func (e xyErrors) YError(i int) (low, high float64) { return e.half[i], e.half[i] }

// LogX puts the x axis on a logarithmic scale and returns the panel. All x must
// be positive.
func (p *Panel) LogX() (*Panel, error) {
	if p.X.Min <= 0 {
		return nil, fmt.Errorf("plotx: %q: %w: a logarithmic axis cannot start at %v", p.Title.Text, mlcore.ErrConfig, p.X.Min)
	}
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = plot.LogTicks{Prec: -1}
	return p, nil
}
