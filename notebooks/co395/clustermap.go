package co395

import (
	"fmt"
	"image/color"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ClusterMap draws which cluster each point of the plane belongs to, the rows of X in
// the colours of their clusters, and the centres as slanted white crosses; nil: none. It
// has no legend, because the numbers of clusters mean nothing. It panics on an error, as a
// cell would.
func ClusterMap(title string, X *mat.Dense, predict plotx.PredictFunc, centres *mat.Dense) *plotx.Panel {
	p, err := clusterMap(title, X, predict, centres)
	if err != nil {
		panic(fmt.Errorf("co395: cluster map %q: %w", title, err))
	}
	return p
}

func clusterMap(title string, X *mat.Dense, predict plotx.PredictFunc, centres *mat.Dense) (*plotx.Panel, error) {
	labels, err := predict(X)
	if err != nil {
		return nil, err
	}
	ds := mlcore.FromMatrix(X, labels, nil)
	ds.Columns[0].Name, ds.Columns[1].Name = "x1", "x2"
	p, err := plotx.ClassMap(ds, predict, plotx.MapOptions{Title: title})
	if err != nil {
		return nil, err
	}
	p.Keys = nil
	if centres == nil {
		return p, nil
	}
	return p, addCrosses(p, centres)
}

// addCrosses leaves the axes as they are.
func addCrosses(p *plotx.Panel, centres *mat.Dense) error {
	k, _ := centres.Dims()
	points := make(plotter.XYs, k)
	for i := range points {
		points[i] = plotter.XY{X: centres.At(i, 0), Y: centres.At(i, 1)}
	}
	crosses, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	crosses.GlyphStyle = draw.GlyphStyle{Color: color.White, Radius: 5, Shape: slanted{}}
	x0, x1, y0, y1 := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	p.Add(crosses)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
	return nil
}

// slanted is a cross like the letter x, with a dark outline: the upright cross is one of
// the markers of clusters.
type slanted struct{}

// DrawGlyph implements [draw.GlyphDrawer].
func (slanted) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	stroke := func(col color.Color, width, reach vg.Length) {
		c.SetLineStyle(draw.LineStyle{Color: col, Width: width})
		for _, slope := range []vg.Length{1, -1} {
			var p vg.Path
			p.Move(vg.Point{X: at.X - reach, Y: at.Y - slope*reach})
			p.Line(vg.Point{X: at.X + reach, Y: at.Y + slope*reach})
			c.Stroke(p)
		}
	}
	const white, outline = 2.6, 0.7 // widths, in points
	stroke(color.Black, white+2*outline, sty.Radius)
	stroke(sty.Color, white, sty.Radius-outline)
}
