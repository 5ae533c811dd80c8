package plotx

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A polyline is a line of any length. The rasteriser takes time that grows with the square of
// how far a stroke goes up and down, 20 seconds for a noisy line of 3,000 points and hours for
// 300,000. A long line is therefore drawn in pieces, of the points that can be told apart.
type polyline struct{ *plotter.Line }

const (
	longLine  = 400 // heights of the figure: lines up to this are one stroke
	longPiece = 4
	column    = vg.Length(0.25) // about half a pixel of a PNG
)

func (l polyline) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	at := func(i int) vg.Point { return vg.Point{X: trX(l.XYs[i].X), Y: trY(l.XYs[i].Y)} }
	length := func(a, b vg.Point) vg.Length { return vg.Length(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))) }
	height := c.Max.Y - c.Min.Y
	all := vg.Length(0)
	for i := 1; i < len(l.XYs); i++ {
		all += length(at(i-1), at(i))
	}
	if height <= 0 || !(all > longLine*height) {
		l.Line.Plot(c, p)
		return
	}
	kept := l.distinct(trX)
	piece := *l.Line
	for from := 0; from < len(kept)-1; {
		to, way := from, vg.Length(0)
		for to < len(kept)-1 && (to == from || way <= longPiece*height) {
			way += length(at(kept[to]), at(kept[to+1]))
			to++
		}
		piece.XYs = nil
		for _, i := range kept[from : to+1] {
			piece.XYs = append(piece.XYs, l.XYs[i])
		}
		piece.Plot(c, p)
		piece.DashOffs += way
		from = to
	}
}

// distinct returns the points that can be told apart: of those in a row that stand in one
// column of pixels the first, the lowest, the highest and the last.
func (l polyline) distinct(trX func(float64) vg.Length) (kept []int) {
	keep := func(i int) {
		if len(kept) == 0 || kept[len(kept)-1] < i {
			kept = append(kept, i)
		}
	}
	of := func(i int) float64 { return math.Floor(float64(trX(l.XYs[i].X) / column)) }
	for from := 0; from < len(l.XYs); {
		low, high, last := from, from, from
		for last+1 < len(l.XYs) && of(last+1) == of(from) {
			last++
			if l.XYs[last].Y < l.XYs[low].Y {
				low = last
			}
			if l.XYs[last].Y > l.XYs[high].Y {
				high = last
			}
		}
		for _, i := range []int{from, min(low, high), max(low, high), last} {
			keep(i)
		}
		from = last + 1
	}
	return kept
}
