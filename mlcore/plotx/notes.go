package plotx

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Rule is a straight line across a [Panel] to compare with: zero, a limit, the level
// of a baseline. A rule outside of the axes is not drawn and does not widen them, which
// [Panel.ClipX] and [Panel.ClipY] do.
type Rule struct {
	// At is the value of y along the line, or of x if Vertical.
	At       float64
	Vertical bool
	// Name stands in the legend and makes the line dashed; empty: a thin line without
	// an entry, as suits a zero.
	Name string
}

func (r Rule) style() draw.LineStyle {
	if r.Name == "" {
		return draw.LineStyle{Color: Color(7), Width: vg.Points(0.7)}
	}
	return draw.LineStyle{Color: Color(7), Width: vg.Points(1), Dashes: []vg.Length{vg.Points(4), vg.Points(3)}}
}

// An Arrow is an upright arrow of a [Panel] from one value of y to another, with a text
// beside it, to show a gain or a loss. An arrow that leaves the axes is not drawn.
type Arrow struct {
	X, From, To float64
	Text        string
}

// within reports whether a rule crosses the panel.
func (r Rule) within(p *Panel) bool {
	if r.Vertical {
		return p.X.Min <= r.At && r.At <= p.X.Max
	}
	return p.Y.Min <= r.At && r.At <= p.Y.Max
}

// legend returns the keys of the panel and of its named rules.
func (p *Panel) legend() []Key {
	keys := p.Keys[:len(p.Keys):len(p.Keys)]
	for _, r := range p.Rules {
		if r.Name != "" && r.within(p) {
			style := r.style()
			keys = append(keys, Key{Text: r.Name, Line: &style, Color: style.Color})
		}
	}
	return keys
}

func (p *Panel) drawRules(c draw.Canvas) {
	trX, trY := p.Transforms(&c)
	for _, r := range p.Rules {
		if !r.within(p) {
			continue
		}
		from, to := vg.Point{X: c.Min.X, Y: trY(r.At)}, vg.Point{X: c.Max.X, Y: trY(r.At)}
		if r.Vertical {
			from, to = vg.Point{X: trX(r.At), Y: c.Min.Y}, vg.Point{X: trX(r.At), Y: c.Max.Y}
		}
		c.StrokeLine2(r.style(), from.X, from.Y, to.X, to.Y)
	}
}

func (p *Panel) drawArrows(c draw.Canvas) {
	const head = vg.Length(6)
	trX, trY := p.Transforms(&c)
	for _, a := range p.Arrows {
		from, to := vg.Point{X: trX(a.X), Y: trY(a.From)}, vg.Point{X: trX(a.X), Y: trY(a.To)}
		if !c.Contains(from) || !c.Contains(to) {
			continue
		}
		length := to.Y - from.Y
		tip := vg.Length(math.Copysign(float64(min(head, max(length, -length))), float64(length)))
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: vg.Points(1.2)}, from.X, from.Y, to.X, to.Y-tip/2)
		c.FillPolygon(ink, []vg.Point{to, {X: to.X - head/2, Y: to.Y - tip}, {X: to.X + head/2, Y: to.Y - tip}})
		if a.Text == "" {
			continue
		}
		sty := textStyle(9)
		sty.YAlign = -0.45
		at := vg.Point{X: to.X + 5, Y: (from.Y + to.Y) / 2}
		if at.X+sty.Width(a.Text) > c.Max.X {
			sty.XAlign, at.X = draw.XRight, to.X-5
		}
		c.FillText(sty, at, a.Text)
	}
}
