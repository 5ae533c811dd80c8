package plotx

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// predictGround predicts over a res×res grid of the axes' ranges, row by row
// from the top left.
func (p *Panel) predictGround(predict PredictFunc, res int) (ground, error) {
	X := mat.NewDense(res*res, 2, nil)
	half := float64(res) / 2
	dx, dy := (p.X.Max/2-p.X.Min/2)/half, (p.Y.Max/2-p.Y.Min/2)/half
	for r := range res {
		for c := range res {
			X.Set(r*res+c, 0, p.X.Min+(float64(c)+0.5)*dx)
			X.Set(r*res+c, 1, p.Y.Max-(float64(r)+0.5)*dy)
		}
	}
	classes, err := predict(X)
	if err != nil {
		return ground{}, fmt.Errorf("plotx: class map: %w", err)
	}
	if len(classes) != res*res {
		return ground{}, fmt.Errorf("plotx: class map: %w: %d predictions for %d points", mlcore.ErrShape, len(classes), res*res)
	}
	return ground{classes: classes, res: res, x: [2]float64{p.X.Min, p.X.Max}, y: [2]float64{p.Y.Min, p.Y.Max}}, nil
}

// ground colours the cells of a res×res grid over the given ranges of x and y and
// draws the boundary of the classes. It draws rectangles, not an image, because
// canvases disagree on which way up an image goes and because lines stay sharp at any
// size.
type ground struct {
	classes []int // row by row from the top left
	res     int
	x, y    [2]float64
	fill    func(class int) color.RGBA // nil: a pale colour for each class
}

func (g ground) color(class int) color.RGBA {
	if g.fill == nil {
		return Ground(class)
	}
	return g.fill(class)
}

func (g ground) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	// at is where a point lies that is given in cells from the top left.
	at := func(column, row float64) vg.Point {
		n := float64(g.res)
		return vg.Point{X: trX(between(g.x[0], g.x[1], column/n)), Y: trY(between(g.y[1], g.y[0], row/n))}
	}
	// Neighbouring rectangles overlap a little, or smoothed edges would let the
	// paper shine through as hairlines.
	const overlap = 0.4
	for _, b := range g.blocks() {
		from, to := at(float64(b.left), float64(b.top)), at(float64(b.right), float64(b.bottom))
		x0, x1 := max(from.X, c.Min.X), min(to.X+overlap, c.Max.X)
		y0, y1 := max(to.Y-overlap, c.Min.Y), min(from.Y, c.Max.Y)
		if x0 < x1 && y0 < y1 {
			c.FillPolygon(g.color(b.class), []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		}
	}
	// One path for all pieces: strokes of their own would show where they meet.
	var boundary vg.Path
	for _, s := range g.boundary() {
		for _, line := range c.ClipLinesXY([]vg.Point{at(s[0].column, s[0].row), at(s[1].column, s[1].row)}) {
			boundary.Move(line[0])
			boundary.Line(line[1])
		}
	}
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: vg.Points(0.7)})
	c.Stroke(boundary)
}

// A corner is a place in the grid in cells from its top left.
type corner struct{ column, row float64 }

// boundary returns the pieces of the line between cells of different classes. Where
// two edges of such cells meet, a piece joins their middles, which turns the stairs of
// a slanting boundary into a slope and leaves straight ones straight; at a junction of
// three classes or at the frame, pieces lead from the middles to the corner itself.
func (g ground) boundary() [][2]corner {
	const outside = math.MinInt
	class := func(row, column int) int {
		if row < 0 || row >= g.res || column < 0 || column >= g.res {
			return outside
		}
		return g.classes[row*g.res+column]
	}
	differ := func(a, b int) bool { return a != outside && b != outside && a != b }
	var pieces [][2]corner
	for row := 0; row <= g.res; row++ {
		for column := 0; column <= g.res; column++ {
			nw, ne := class(row-1, column-1), class(row-1, column)
			sw, se := class(row, column-1), class(row, column)
			here := corner{float64(column), float64(row)}
			var middles []corner
			for _, e := range []struct {
				edge   bool
				dx, dy float64
			}{{differ(nw, ne), 0, -0.5}, {differ(nw, sw), -0.5, 0}, {differ(ne, se), 0.5, 0}, {differ(sw, se), 0, 0.5}} {
				if e.edge {
					middles = append(middles, corner{here.column + e.dx, here.row + e.dy})
				}
			}
			if len(middles) == 2 {
				pieces = append(pieces, [2]corner{middles[0], middles[1]})
				continue
			}
			for _, m := range middles {
				pieces = append(pieces, [2]corner{m, here})
			}
		}
	}
	return pieces
}

// A block is a rectangle of cells of one class; right and bottom are exclusive.
type block struct{ class, left, right, top, bottom int }

// blocks joins the cells of each row into runs and runs of the same extent and
// class in successive rows into blocks.
func (g ground) blocks() []block {
	var done, open []block
	for row := range g.res {
		var runs []block
		cells := g.classes[row*g.res : (row+1)*g.res]
		for left := 0; left < g.res; {
			right := left + 1
			for right < g.res && cells[right] == cells[left] {
				right++
			}
			runs = append(runs, block{cells[left], left, right, row, row + 1})
			left = right
		}
		for _, b := range open {
			i := slices.IndexFunc(runs, func(r block) bool { return r.class == b.class && r.left == b.left && r.right == b.right })
			if i < 0 {
				done = append(done, b)
			} else {
				runs[i].top = b.top
			}
		}
		open = runs
	}
	return append(done, open...)
}
