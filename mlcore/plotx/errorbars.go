package plotx

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An ErrorBarGroup is one colour of bars of [ErrorBars]: a value for each name.
type ErrorBarGroup struct {
	Name   string
	Values []float64
	// Err holds the half-length of the whisker on each bar, such as a standard
	// deviation; nil: none, for values that were published without.
	Err []float64
}

// ErrorBars is [Bars] with whiskers on the bars and the values at their ends,
// for instance to compare published figures with one's own.
func ErrorBars(title, xLabel, verb string, names []string, groups ...ErrorBarGroup) (*Panel, error) {
	plain := make([]BarGroup, len(groups))
	for g, group := range groups {
		plain[g] = BarGroup{group.Name, group.Values}
	}
	p, err := Bars(title, xLabel, "", names, plain...)
	if err != nil {
		return nil, err
	}
	for g, group := range groups {
		if group.Err == nil {
			group.Err = make([]float64, len(names))
		}
		if len(group.Err) != len(names) {
			return nil, fmt.Errorf("plotx: bars %q: %w: %d names, group %q has %d errors", title, mlcore.ErrShape, len(names), group.Name, len(group.Err))
		}
		for i, e := range group.Err {
			if !(e >= 0) || e-e != 0 {
				return nil, fmt.Errorf("plotx: bars %q: %w: an error of %v for %q", title, mlcore.ErrNonFinite, e, names[i])
			}
			p.X.Min, p.X.Max = min(p.X.Min, group.Values[i]-e), max(p.X.Max, group.Values[i]+e)
		}
		p.Add(whiskers{group, g, len(groups), verb})
	}
	if verb != "" {
		room := 0.16 * (p.X.Max - p.X.Min)
		p.X.Max += room
		if p.X.Min < 0 {
			p.X.Min -= room
		}
	}
	return p, nil
}

// whiskers are those of one group of bars, number index of count.
type whiskers struct {
	ErrorBarGroup
	index, count int
	verb         string
}

func (w whiskers) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	thick := 0.76 / float64(w.count)
	line := draw.LineStyle{Color: ink, Width: vg.Points(0.9)}
	for i, v := range w.Values {
		y := trY(-float64(i) + 0.38 - (float64(w.index)+0.5)*thick)
		low, high := trX(v-w.Err[i]), trX(v+w.Err[i])
		if w.Err[i] > 0 {
			c.StrokeLines(line, c.ClipLinesX([]vg.Point{{X: low, Y: y}, {X: high, Y: y}})...)
			for _, x := range []vg.Length{low, high} {
				if c.ContainsX(x) {
					c.StrokeLine2(line, x, y-2, x, y+2)
				}
			}
		}
		if w.verb == "" || v < 0 && !c.ContainsX(low) || v >= 0 && !c.ContainsX(high) {
			continue
		}
		sty, at := textStyle(8), vg.Point{X: high + 3, Y: y}
		sty.YAlign = -0.45
		if v < 0 {
			sty.XAlign, at.X = draw.XRight, low-3
		}
		c.FillText(sty, at, fmt.Sprintf(w.verb, v))
	}
}
