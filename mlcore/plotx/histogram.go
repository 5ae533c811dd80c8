package plotx

import (
	"fmt"
	"image/color"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Histogram draws how often the values of a feature fall into equal-width bins,
// one colour for each class, stacked. y may be nil: one colour.
func Histogram(title, xLabel string, values []float64, y []int, classNames []string, bins int) (*Panel, error) {
	if y == nil {
		y, classNames = make([]int, len(values)), []string{""}
	}
	s, err := countBins(values, y, len(classNames), bins)
	if err != nil {
		return nil, fmt.Errorf("plotx: histogram %q: %w", title, err)
	}
	p := newPanel(title, xLabel, "rows")
	p.Add(s)
	for c, name := range classNames {
		if name != "" {
			p.Keys = append(p.Keys, Key{Text: legendName(name), Glyph: Glyph(1), Color: Color(c)})
		}
	}
	return p, nil
}

// Histograms draws a histogram of each group in a panel of its own, all with the same
// bins and axes and titled with the group, for a [Grid]: where stacked bars would not
// let the groups be compared. y holds the group of each value. All bars are grey: the
// titles tell the panels apart, and the groups need not be the classes that colours
// stand for in the figures around.
func Histograms(xLabel string, values []float64, y []int, names []string, bins int) ([]Figure, error) {
	s, err := countBins(values, y, len(names), bins)
	if err != nil {
		return nil, fmt.Errorf("plotx: histograms of %q: %w", xLabel, err)
	}
	panels := make([]Figure, len(names))
	for c, name := range names {
		own := stack{make([][]int, bins), s.lo, s.width, func(int) color.RGBA { return grey }}
		for b, bin := range s.counts {
			own.counts[b] = bin[c : c+1]
		}
		p := newPanel(legendName(name), xLabel, "rows")
		p.Add(own)
		panels[c] = p
	}
	return SameAxes(panels...), nil
}

// maxBins is more than a figure has columns of pixels.
const maxBins = 10_000

// countBins counts the values of each class in equal-width bins.
func countBins(values []float64, y []int, classes, bins int) (stack, error) {
	if len(values) == 0 {
		return stack{}, mlcore.ErrEmpty
	}
	if err := checkFinite("value", values); err != nil {
		return stack{}, err
	}
	if err := mlcore.CheckLabels(y, len(values), classes); err != nil {
		return stack{}, err
	}
	if bins < 1 || bins > maxBins {
		return stack{}, fmt.Errorf("%w: %d bins; it is a number from 1 to %d", mlcore.ErrConfig, bins, maxBins)
	}
	lo, hi := values[0], values[0]
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	if lo == hi { // a bin around it, wide enough to be told from nothing
		half := max(0.5, math.Abs(lo)/1e6)
		lo, hi = lo-half, hi+half
	}
	if math.IsInf(hi-lo, 1) {
		return stack{}, fmt.Errorf("%w: values from %g to %g span more than a float64 can", mlcore.ErrNonFinite, lo, hi)
	}
	counts := make([][]int, bins)
	for b := range counts {
		counts[b] = make([]int, classes)
	}
	for i, v := range values {
		at := float64(bins) * (v - lo) / (hi - lo)
		if math.IsInf(at, 0) {
			at = (v - lo) / (hi - lo) * float64(bins)
		}
		b := min(int(at), bins-1)
		counts[b][y[i]]++
	}
	return stack{counts, lo, (hi - lo) / float64(bins), Color}, nil
}

// stack is a stacked histogram: counts[bin][class], bins of a width from lo on.
type stack struct {
	counts    [][]int
	lo, width float64
	fill      func(class int) color.RGBA
}

func (s stack) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, bin := range s.counts {
		total := 0
		for _, n := range bin {
			total += n
		}
		ymax = max(ymax, float64(total))
	}
	return s.lo, s.lo + s.width*float64(len(s.counts)), 0, ymax * 1.04
}

func (s stack) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for b, bin := range s.counts {
		x0, x1 := trX(s.lo+float64(float64(b)*s.width)), trX(s.lo+float64(float64(b+1)*s.width))
		x0, x1 = min(max(x0, c.Min.X), c.Max.X), min(max(x1, c.Min.X), c.Max.X)
		if x0 == x1 && !c.ContainsX(trX(s.lo+float64((float64(b)+0.5)*s.width))) {
			continue
		}
		base := 0
		for class, n := range bin {
			if n == 0 {
				continue
			}
			y0, y1 := trY(float64(base)), trY(float64(base+n))
			box := []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
			c.FillPolygon(s.fill(class), box)
			c.StrokeLines(draw.LineStyle{Color: color.White, Width: 0.5}, append(box, box[0]))
			base += n
		}
	}
}
