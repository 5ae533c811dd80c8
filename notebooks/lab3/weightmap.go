package lab3

import (
	"cmp"
	"fmt"
	"image/color"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The radius, in points, of a marker of mean weight, and the largest of any.
const meanRadius, greatestRadius = 2.6, 14

// WeightMap is the class map of a function that predicts, over the plane of a data set of
// two features, with the samples as markers whose area is proportional to their weights.
// Markers are translucent and the small ones lie on top, so that none hides another; the
// legend shows the areas of the mean weight and of four times the mean. A marker of more
// than 29 times the mean is as large as one of 29.
func WeightMap(predict func(X *mat.Dense) []int, ds *mlcore.Dataset, weights []float64, title string) *plotx.Panel {
	p, err := plotx.ClassMap(ds, func(X mat.Matrix) ([]int, error) {
		return predict(mat.DenseCopyOf(X)), nil
	}, plotx.MapOptions{Title: title, HidePoints: true})
	if err != nil {
		panic(fmt.Errorf("lab3.WeightMap: %w", err))
	}
	if len(weights) != ds.Len() {
		panic(fmt.Errorf("lab3.WeightMap: %w: %d weights for %d rows", mlcore.ErrShape, len(weights), ds.Len()))
	}
	rows := make([]int, ds.Len())
	// The large ones first: what is drawn later lies on top.
	lighter := make([]float64, len(weights))
	floats.SubTo(lighter, lighter, weights)
	floats.ArgsortStable(lighter, rows)
	points := make(plotter.XYs, len(rows))
	styles := make([]draw.GlyphStyle, len(rows))
	for i, r := range rows {
		points[i] = plotter.XY{X: ds.X.At(r, 0), Y: ds.X.At(r, 1)}
		styles[i] = draw.GlyphStyle{Color: translucent(plotx.Color(ds.Y[r])), Shape: plotx.Glyph(ds.Y[r]),
			Radius: vg.Length(radius(weights[r], floats.Sum(weights)/float64(len(weights))))}
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		panic(fmt.Errorf("lab3.WeightMap: %w", err))
	}
	s.GlyphStyleFunc = func(i int) draw.GlyphStyle { return styles[i] }
	// Adding a scatter widens the axes for its glyphs; the range is set.
	x0, x1, y0, y1 := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	p.Add(s)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
	for class, name := range ds.ClassNames {
		p.Keys = append(p.Keys, plotx.Key{Text: "class " + name, Glyph: plotx.Glyph(class), Color: plotx.Color(class)})
	}
	for _, times := range []int{1, 4} {
		text := map[int]string{1: "mean weight"}[times]
		p.Keys = append(p.Keys, plotx.Key{Text: cmp.Or(text, fmt.Sprint(times, " times the mean")), Glyph: ring{radius(float64(times), 1)}, Color: color.Black})
	}
	return p
}

// radius is that of a marker whose area is proportional to its weight.
func radius(weight, mean float64) float64 {
	if mean <= 0 {
		return meanRadius
	}
	return min(meanRadius*math.Sqrt(weight/mean), greatestRadius)
}

func translucent(c color.RGBA) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, 0xa0} }

// A ring is a circle of a radius of its own, for a legend of sizes.
type ring struct{ radius float64 }

func (r ring) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	sty.Radius = vg.Length(r.radius)
	draw.RingGlyph{}.DrawGlyph(c, sty, at)
}
