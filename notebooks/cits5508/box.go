package cits5508

import (
	"fmt"
	"image/color"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Box is the region of a leaf: the samples whose every feature is greater than Low
// and at most High, which may be infinite.
type Box struct {
	// Node is the number of the leaf in the tree's node table, Class what it predicts.
	Node, Class int
	Low, High   []float64
}

// DrawBoxes draws the samples of a data set of two features and the boxes around them,
// each in the colour of its class, with the number of its leaf in the corner that
// covers the fewest samples. It panics where the samples cannot be drawn in a plane, as a cell would.
func DrawBoxes(ds *mlcore.Dataset, boxes []Box, title string) *plotx.Panel {
	p, err := plotx.Scatter(ds, title)
	if err != nil {
		panic(fmt.Errorf("cits5508: %w", err))
	}
	x0, x1, y0, y1 := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	window := [2]float64{x1 - x0, y1 - y0}
	for _, b := range boxes {
		l, r := max(b.Low[0], x0), min(b.High[0], x1)
		d, u := max(b.Low[1], y0), min(b.High[1], y1)
		if l >= r || d >= u {
			continue // it has no part in the window
		}
		area, err := plotter.NewPolygon(plotter.XYs{{X: l, Y: d}, {X: r, Y: d}, {X: r, Y: u}, {X: l, Y: u}})
		if err != nil {
			panic(fmt.Errorf("cits5508: the box of leaf %d: %w", b.Node, err))
		}
		area.Color = glass(plotx.Color(b.Class))
		area.LineStyle.Color, area.LineStyle.Width = ink, vg.Points(1.2)
		p.Add(area)
		p.Add(leafNumber(p, b.Node, emptiest(ds, l, r, d, u, window)))
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
	return p
}

// A corner of a box: where it is, and whether it is on the right and on top.
type corner struct {
	x, y       float64
	right, top bool
}

// emptiest is the corner of a box with the fewest samples where a label would stand,
// which takes about a sixth of the window's width and a twelfth of its height.
func emptiest(ds *mlcore.Dataset, l, r, d, u float64, window [2]float64) corner {
	best, fewest := corner{}, ds.Len()+1
	for _, c := range []corner{{l, u, false, true}, {r, u, true, true}, {l, d, false, false}, {r, d, true, false}} {
		covered := 0
		for i := range ds.Len() {
			if math.Abs(ds.X.At(i, 0)-c.x) < window[0]/6 && math.Abs(ds.X.At(i, 1)-c.y) < window[1]/12 {
				covered++
			}
		}
		if covered < fewest {
			best, fewest = c, covered
		}
	}
	return best
}

func leafNumber(p *plotx.Panel, node int, at corner) *plotter.Labels {
	label, err := plotter.NewLabels(plotter.XYLabels{
		XYs: plotter.XYs{{X: at.x, Y: at.y}}, Labels: []string{fmt.Sprint("leaf ", node)},
	})
	if err != nil {
		panic(fmt.Errorf("cits5508: the number of leaf %d: %w", node, err))
	}
	label.Offset.X, label.Offset.Y = vg.Points(4), vg.Points(4)
	style := &label.TextStyle[0]
	style.Font, style.Color = p.X.Tick.Label.Font, ink
	if at.right {
		label.Offset.X, style.XAlign = -label.Offset.X, draw.XRight
	}
	if at.top {
		label.Offset.Y, style.YAlign = -label.Offset.Y, draw.YTop
	}
	return label
}

// glass is a colour that lets the samples show through.
func glass(c color.RGBA) color.NRGBA { return color.NRGBA{R: c.R, G: c.G, B: c.B, A: 0x30} }
