package plotx

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/plot"
)

// LogX puts the x axis on a logarithmic scale and returns the panel. All x must
// be positive.
func (p *Panel) LogX() (*Panel, error) { return p.logarithmic(&p.X) }

// LogY puts the y axis on a logarithmic scale and returns the panel. All y must
// be positive, and the lower ends of all error bars.
func (p *Panel) LogY() (*Panel, error) { return p.logarithmic(&p.Y) }

func (p *Panel) logarithmic(a *plot.Axis) (*Panel, error) {
	if !(a.Min > 0) {
		return nil, fmt.Errorf("plotx: %q: %w: a logarithmic axis cannot start at %v", p.Title.Text, mlcore.ErrConfig, a.Min)
	}
	a.Scale, a.Tick.Marker = logScale{}, logTicks{}
	return p, nil
}

// ClipX shows only the part of the panel whose x lies between lo and hi, and returns
// the panel.
func (p *Panel) ClipX(lo, hi float64) *Panel {
	clip(&p.X, lo, hi)
	return p
}

// ClipY shows only the part of the panel whose y lies between lo and hi, and returns
// the panel. It is for curves of which a few values dwarf all others.
func (p *Panel) ClipY(lo, hi float64) *Panel {
	clip(&p.Y, lo, hi)
	return p
}

// clip gives an axis other ends. What has been added may lie so far beyond them that gonum's
// scale has no number for it.
func clip(a *plot.Axis, lo, hi float64) {
	if beyond := max(lo/2-a.Min/2, a.Max/2-hi/2); beyond*usual > hi/2-lo/2 {
		bounded(a)
	}
	a.Min, a.Max = lo, hi
}

// SameX gives all panels among the figures one range of x that holds each of theirs,
// and returns the figures: panels of a [Grid] that are compared. Class maps of the same
// data have the same axes already.
func SameX(figures ...Figure) []Figure {
	return share(figures, func(p *Panel) *plot.Axis { return &p.X })
}

// SameY is [SameX] for y.
func SameY(figures ...Figure) []Figure {
	return share(figures, func(p *Panel) *plot.Axis { return &p.Y })
}

// SameAxes is [SameX] and [SameY].
func SameAxes(figures ...Figure) []Figure { return SameX(SameY(figures...)...) }

func share(figures []Figure, axis func(*Panel) *plot.Axis) []Figure {
	var axes []*plot.Axis
	for _, f := range figures {
		if p, ok := f.(*Panel); ok && p != nil {
			axes = append(axes, axis(p))
		}
	}
	for _, a := range axes {
		axes[0].Min, axes[0].Max = min(axes[0].Min, a.Min), max(axes[0].Max, a.Max)
	}
	for _, a := range axes {
		a.Min, a.Max = axes[0].Min, axes[0].Max
	}
	return figures
}
