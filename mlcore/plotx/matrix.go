package plotx

import (
	"fmt"
	"image/color"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix draws a matrix as a grid of shaded cells, darker for larger, with the
// value in each cell in the given fmt verb such as "%.0f". Rows run from the top.
// For a confusion matrix rows are the true classes and columns the predicted. A
// NaN, which is what is not defined, is an empty cell with a dash.
func Matrix(title, rowLabel, columnLabel, verb string, rowNames, columnNames []string, m mat.Matrix) (*Panel, error) {
	if m == nil {
		return nil, fmt.Errorf("plotx: matrix %q: %w", title, mlcore.ErrEmpty)
	}
	r, c := m.Dims()
	if r != len(rowNames) || c != len(columnNames) {
		return nil, fmt.Errorf("plotx: matrix %q: %w: %d×%d values, %d row and %d column names", title, mlcore.ErrShape, r, c, len(rowNames), len(columnNames))
	}
	if err := mlcore.CheckMatrix(m, true); err != nil {
		return nil, fmt.Errorf("plotx: matrix %q: %w", title, err)
	}
	p := newPanel(title, columnLabel, rowLabel)
	p.Width, p.Height = vg.Points(90+46*float64(c)), vg.Points(80+30*float64(r))
	p.Add(cells{m, verb})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, float64(c)-0.5, 0.5-float64(r), 0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = names(columnNames, 1), names(rowNames, -1)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Length, a.LineStyle.Width, a.Padding = 0, 0, 0
	}
	return p, nil
}

func names(labels []string, step float64) plot.ConstantTicks {
	t := make(plot.ConstantTicks, len(labels))
	for i, l := range labels {
		t[i] = plot.Tick{Value: step * float64(i), Label: l}
	}
	return t
}

type cells struct {
	m    mat.Matrix
	verb string
}

func (k cells) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	r, n := k.m.Dims()
	top := 0.0
	for i := range r {
		for j := range n {
			if v := math.Abs(k.m.At(i, j)); v > top {
				top = v
			}
		}
	}
	for i := range r {
		for j := range n {
			v, strength := k.m.At(i, j), 0.0
			says := fmt.Sprintf(k.verb, v)
			if math.IsNaN(v) {
				says = "–"
			} else if top > 0 {
				strength = math.Abs(v) / top
			}
			x0, x1 := trX(float64(j)-0.5), trX(float64(j)+0.5)
			y0, y1 := trY(-float64(i)-0.5), trY(-float64(i)+0.5)
			box := []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
			c.FillPolygon(Tint(0, 0.04+0.9*strength), box)
			c.StrokeLines(draw.LineStyle{Color: color.White, Width: 1}, append(box, box[0]))
			sty := centred(9)
			if strength > 0.55 {
				sty.Color = color.White
			}
			c.FillText(sty, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, says)
		}
	}
}
