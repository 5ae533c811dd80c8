package plotx

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SearchMap draws the table of a grid search over two settings: the first one's
// values from the top, the second's from left to right, in each cell the mean of the
// first scorer in the given fmt verb such as "%.3f". Cells are the darker the better
// they do, and the best has a frame.
func SearchMap[C any](title, verb string, table []modelsel.Row[C]) (*Panel, error) {
	if len(table) == 0 {
		return nil, fmt.Errorf("plotx: search map %q: %w: no candidates", title, mlcore.ErrEmpty)
	}
	var values [2][]string
	for i, row := range table {
		if len(row.Params) != 2 {
			return nil, fmt.Errorf("plotx: search map %q: %w: candidate %d has %d settings; a map is for 2", title, mlcore.ErrShape, i, len(row.Params))
		}
		if len(row.Scores) == 0 {
			return nil, fmt.Errorf("plotx: search map %q: %w: candidate %d has no scores", title, mlcore.ErrEmpty, i)
		}
		for a, p := range row.Params {
			if !slices.Contains(values[a], p.Value) {
				values[a] = append(values[a], p.Value)
			}
		}
	}
	r, c := len(values[0]), len(values[1])
	if r*c != len(table) {
		return nil, fmt.Errorf("plotx: search map %q: %w: %d candidates do not fill a grid of %d×%d", title, mlcore.ErrShape, len(table), r, c)
	}
	means := mat.NewDense(r, c, slices.Repeat([]float64{math.NaN()}, r*c))
	best := cell{-1, -1}
	for _, row := range table {
		at := cell{slices.Index(values[0], row.Params[0].Value), slices.Index(values[1], row.Params[1].Value)}
		means.Set(at.row, at.column, row.Scores[0].Mean())
		if row.Rank == 1 && best.row < 0 {
			best = at
		}
	}
	if err := mlcore.CheckMatrix(means, false); err != nil {
		return nil, fmt.Errorf("plotx: search map %q: two candidates in one cell, or %w", title, err)
	}
	first := table[0]
	p := newPanel(title, first.Params[1].Name, first.Params[0].Name)
	p.Width, p.Height = vg.Points(90+46*float64(c)), vg.Points(80+30*float64(r))
	p.Add(heat{means, verb, first.Scores[0].LowerIsBetter, best})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, float64(c)-0.5, 0.5-float64(r), 0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = names(values[1], 1), names(values[0], -1)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Length, a.LineStyle.Width, a.Padding = 0, 0, 0
	}
	return p, nil
}

// heat shades cells between the worst and the best value, where [Matrix] starts
// from 0: scores of a search lie close together.
type heat struct {
	m             mat.Matrix
	verb          string
	lowerIsBetter bool
	framed        cell
}

// cell is a place in a matrix.
type cell struct{ row, column int }

func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	worst, best := mat.Min(h.m), mat.Max(h.m)
	if h.lowerIsBetter {
		worst, best = best, worst
	}
	box := func(i, j int, inset vg.Length) []vg.Point {
		x0, x1 := trX(float64(j)-0.5)+inset, trX(float64(j)+0.5)-inset
		y0, y1 := trY(-float64(i)-0.5)+inset, trY(-float64(i)+0.5)-inset
		return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}, {X: x0, Y: y0}}
	}
	rows, columns := h.m.Dims()
	for i := range rows {
		for j := range columns {
			v, strength := h.m.At(i, j), 0.0
			if best != worst {
				strength = (v - worst) / (best - worst)
			}
			whole := box(i, j, 0)
			c.FillPolygon(Tint(0, 0.06+0.84*strength), whole)
			c.StrokeLines(draw.LineStyle{Color: color.White, Width: 1}, whole)
			sty := centred(9)
			if strength > 0.55 {
				sty.Color = color.White
			}
			c.FillText(sty, vg.Point{X: (whole[0].X + whole[1].X) / 2, Y: (whole[0].Y + whole[2].Y) / 2}, fmt.Sprintf(h.verb, v))
			if h.framed == (cell{i, j}) {
				c.StrokeLines(draw.LineStyle{Color: Color(1), Width: 2}, box(i, j, 2))
			}
		}
	}
}
