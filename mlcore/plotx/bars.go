package plotx

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A BarGroup is one colour of bars of [Bars]: a value for each name.
type BarGroup struct {
	Name   string
	Values []float64
}

// Bars draws horizontal bars, the first name on top, with the value at the end
// of each bar in the given fmt verb such as "%.3f" (empty: no values). Several
// groups stand side by side in colours of their own.
func Bars(title, xLabel, verb string, names []string, groups ...BarGroup) (*Panel, error) {
	if len(names) == 0 || len(groups) == 0 {
		return nil, fmt.Errorf("plotx: bars %q: %w", title, mlcore.ErrEmpty)
	}
	p := newPanel(title, xLabel, "")
	p.Height = vg.Points(70 + max(16, 11*float64(len(groups)))*float64(len(names)))
	grid := plotter.NewGrid()
	grid.Horizontal.Width, grid.Vertical.Color = 0, faint
	p.Add(grid)
	lo, hi := 0.0, 0.0
	for g, group := range groups {
		if len(group.Values) != len(names) {
			return nil, fmt.Errorf("plotx: bars %q: %w: %d names, group %q has %d values", title, mlcore.ErrShape, len(names), group.Name, len(group.Values))
		}
		for i, v := range group.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("plotx: bars %q: %w: %v for %q", title, mlcore.ErrNonFinite, v, names[i])
			}
			lo, hi = min(lo, v), max(hi, v)
		}
		p.Add(bars{group.Values, g, len(groups), verb})
		if len(groups) > 1 {
			p.Keys = append(p.Keys, Key{Text: group.Name, Glyph: Glyph(1), Color: Color(g)})
		}
	}
	if hi == lo {
		hi = 1
	}
	room := 0.0
	if verb != "" {
		room = 0.14 * (hi - lo)
	}
	p.X.Min, p.X.Max = lo, hi+room
	if lo < 0 {
		p.X.Min -= room
	}
	ticks := make(plot.ConstantTicks, len(names))
	for i, n := range names {
		ticks[i] = plot.Tick{Value: -float64(i), Label: n}
	}
	p.Y.Min, p.Y.Max = 0.5-float64(len(names)), 0.5
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = ticks, 0, 0
	return p, nil
}

// bars is one group, number index of count.
type bars struct {
	values       []float64
	index, count int
	verb         string
}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	thick := 0.76 / float64(b.count)
	sty := textStyle(8)
	for i, v := range b.values {
		top := -float64(i) + 0.38 - float64(b.index)*thick
		x0, x1 := trX(min(0, v)), trX(max(0, v))
		seen := v < 0 && c.ContainsX(x0) || v >= 0 && c.ContainsX(x1) // the bar's end
		x0, x1 = min(max(x0, c.Min.X), c.Max.X), min(max(x1, c.Min.X), c.Max.X)
		y0, y1 := trY(top-thick), trY(top)
		c.FillPolygon(Color(b.index), []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		if b.verb == "" || !seen {
			continue
		}
		s, at := sty, vg.Point{X: x1 + 3, Y: (y0 + y1) / 2}
		s.YAlign = -0.45
		if v < 0 {
			s.XAlign, at.X = draw.XRight, x0-3
		}
		c.FillText(s, at, unsignedZero(fmt.Sprintf(b.verb, v)))
	}
}

// unsignedZero takes the sign off a number that was rounded to zero.
func unsignedZero(s string) string {
	if v, err := strconv.ParseFloat(s, 64); err == nil && v == 0 {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// centred is a text style for the middle of a box.
func centred(size vg.Length) text.Style {
	s := textStyle(size)
	s.XAlign, s.YAlign = draw.XCenter, -0.45
	return s
}
