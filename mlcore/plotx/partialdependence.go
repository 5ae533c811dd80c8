package plotx

import (
	"fmt"
	"image/color"
	"math"
	"sort"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// PartialDependence draws what a model predicts along one feature or two.
//
//   - One numeric feature: a curve, over thin ones of single rows where they were kept, of
//     at most 200 rows at equal distances. Short ticks at the bottom are the deciles of
//     the rows; where there are none, the curve rests on few rows.
//   - One categorical feature: a bar for each category.
//   - Two numeric features: a map in bands of equal predictions, the first feature along x.
//     The ticks along both axes are deciles.
//   - A numeric and a categorical feature: a curve for each category.
//   - Two categorical features: a table, the first feature's categories from the top.
func PartialDependence(title string, d *inspection.PartialDependence) (*Panel, error) {
	p, err := partialDependence(title, d)
	if err != nil {
		return nil, fmt.Errorf("plotx: partial dependence %q: %w", title, err)
	}
	return p, nil
}

func partialDependence(title string, d *inspection.PartialDependence) (*Panel, error) {
	if d == nil || len(d.Axes) == 0 || len(d.Axes) > 2 {
		return nil, fmt.Errorf("%w: one or two features can be drawn", mlcore.ErrEmpty)
	}
	points := 1
	for _, a := range d.Axes {
		points *= len(a.Values)
	}
	if points == 0 || len(d.Average) != points {
		return nil, fmt.Errorf("%w: %d predictions for %d points", mlcore.ErrShape, len(d.Average), points)
	}
	if err := checkFinite("prediction", d.Average); err != nil {
		return nil, err
	}
	first := d.Axes[0]
	if len(d.Axes) == 1 {
		if first.Names() != nil {
			p, err := Bars(title, d.Response, "%.3g", first.Names(), BarGroup{Values: d.Average})
			if err == nil {
				p.Y.Label.Text = first.Column.Name
			}
			return p, err
		}
		return dependenceCurve(title, d)
	}
	second := d.Axes[1]
	switch {
	case first.Names() != nil && second.Names() != nil:
		return dependenceTable(title, d)
	case first.Names() != nil:
		return dependenceCurves(title, d.Response, second, first, func(category, at int) float64 { return d.Average[category*len(second.Values)+at] })
	case second.Names() != nil:
		return dependenceCurves(title, d.Response, first, second, func(category, at int) float64 { return d.Average[at*len(second.Values)+category] })
	}
	return dependenceMap(title, d)
}

// rowCurves is how many rows have a curve each at most.
const rowCurves = 200

func dependenceCurve(title string, d *inspection.PartialDependence) (*Panel, error) {
	x := d.Axes[0].Values
	p := newPanel(title, d.Axes[0].Column.Name, d.Response)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	p.Add(grid)
	average := Series{Name: "mean of all rows", X: x, Y: d.Average, Dots: len(x) == 1}
	if d.Individual != nil {
		n, points := d.Individual.Dims()
		if points != len(x) {
			return nil, fmt.Errorf("%w: curves of %d points, the mean has %d", mlcore.ErrShape, points, len(x))
		}
		shown := min(n, rowCurves)
		thin := rows{style: draw.LineStyle{Color: Tint(7, 0.45), Width: vg.Points(0.5)}}
		for k := range shown {
			row := d.Individual.RawRowView(k * n / shown)
			if err := checkFinite("prediction", row); err != nil {
				return nil, err
			}
			curve := make(plotter.XYs, len(x))
			for g := range curve {
				curve[g] = plotter.XY{X: x[g], Y: row[g]}
			}
			thin.curves = append(thin.curves, curve)
		}
		p.Add(thin)
		p.Keys = append(p.Keys, Key{Text: "single rows", Line: &thin.style})
	}
	if err := p.addSeries(0, average); err != nil {
		return nil, err
	}
	p.addDeciles(d.Axes[0].Deciles, nil)
	return p, nil
}

// rows are many thin curves.
type rows struct {
	curves []plotter.XYs
	style  draw.LineStyle
}

func (r rows) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, curve := range r.curves {
		line := make([]vg.Point, len(curve))
		for i, at := range curve {
			line[i] = vg.Point{X: trX(at.X), Y: trY(at.Y)}
		}
		c.StrokeLines(r.style, c.ClipLinesXY(line)...)
	}
}

func (r rows) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, curve := range r.curves {
		for _, at := range curve {
			xmin, xmax = min(xmin, at.X), max(xmax, at.X)
			ymin, ymax = min(ymin, at.Y), max(ymax, at.Y)
		}
	}
	return xmin, xmax, ymin, ymax
}

// addDeciles adds short ticks inside the lower and the left edge, and their key.
func (p *Panel) addDeciles(x, y []float64) {
	style := draw.LineStyle{Color: ink, Width: vg.Points(1)}
	p.Add(deciles{x, y, style})
	p.Keys = append(p.Keys, Key{Text: "deciles of the rows", Glyph: tick{}, Color: ink})
}

type deciles struct {
	x, y  []float64
	style draw.LineStyle
}

const decileLength = vg.Length(6)

func (d deciles) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, v := range d.x {
		if x := trX(v); c.ContainsX(x) {
			c.StrokeLine2(d.style, x, c.Min.Y, x, c.Min.Y+decileLength)
		}
	}
	for _, v := range d.y {
		if y := trY(v); c.ContainsY(y) {
			c.StrokeLine2(d.style, c.Min.X, y, c.Min.X+decileLength, y)
		}
	}
}

// tick is the key of deciles.
type tick struct{}

func (tick) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.StrokeLine2(draw.LineStyle{Color: sty.Color, Width: vg.Points(1)}, at.X, at.Y-decileLength/2, at.X, at.Y+decileLength/2)
}

// dependenceCurves draws a curve along a numeric feature for each category of another.
func dependenceCurves(title, response string, along, by inspection.Axis, at func(category, at int) float64) (*Panel, error) {
	series := make([]Series, len(by.Values))
	for k, name := range by.Names() {
		s := Series{Name: legendName(name), X: along.Values, Y: make([]float64, len(along.Values)), Dots: len(along.Values) == 1}
		for g := range s.Y {
			s.Y[g] = at(k, g)
		}
		series[k] = s
	}
	p, err := Lines(title, along.Column.Name, response, series...)
	if err != nil {
		return nil, err
	}
	p.addDeciles(along.Deciles, nil)
	return p, nil
}

// dependenceTable draws a cell for each pair of categories.
func dependenceTable(title string, d *inspection.PartialDependence) (*Panel, error) {
	rowNames, columnNames := d.Axes[0].Names(), d.Axes[1].Names()
	m := mat.NewDense(len(rowNames), len(columnNames), d.Average)
	from, to := mat.Min(m), mat.Max(m)
	shade := func(_ int, v float64) float64 {
		if from == to {
			return 0
		}
		return (v - from) / (to - from)
	}
	p := cellTable(title, d.Axes[1].Column.Name, d.Axes[0].Column.Name, columnNames, rowNames, cells{m, "%.3g", shade, nil})
	p.Keys = []Key{{Text: d.Response}}
	return p, nil
}

// mapCells is the number of cells along each side of a map in bands.
const mapCells = 240

// dependenceMap draws bands of predictions over two numeric features.
func dependenceMap(title string, d *inspection.PartialDependence) (*Panel, error) {
	x, y := d.Axes[0].Values, d.Axes[1].Values
	if len(x) < 2 || len(y) < 2 {
		return nil, fmt.Errorf("%w: a map needs two values of each feature; %s has %d and %s %d", mlcore.ErrShape, d.Axes[0].Column.Name, len(x), d.Axes[1].Column.Name, len(y))
	}
	p := newPanel(title, d.Axes[0].Column.Name, d.Axes[1].Column.Name)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x[0], x[len(x)-1], y[0], y[len(y)-1]
	lo, hi := d.Average[0], d.Average[0]
	for _, v := range d.Average {
		lo, hi = min(lo, v), max(hi, v)
	}
	edges := bandEdges(lo, hi)
	fill := func(band int) color.RGBA {
		if len(edges) == 0 {
			return Tint(0, 0.3)
		}
		return Tint(0, 0.06+0.84*float64(band)/float64(len(edges)))
	}
	g := ground{classes: make([]int, mapCells*mapCells), res: mapCells, x: [2]float64{x[0], x[len(x)-1]}, y: [2]float64{y[0], y[len(y)-1]}, fill: fill}
	for r := range mapCells {
		for c := range mapCells {
			atX := between(x[0], x[len(x)-1], (float64(c)+0.5)/mapCells)
			atY := between(y[len(y)-1], y[0], (float64(r)+0.5)/mapCells)
			g.classes[r*mapCells+c] = sort.Search(len(edges), func(i int) bool { return edges[i] > bilinear(x, y, d.Average, atX, atY) })
		}
	}
	p.Add(g)
	p.Keys = []Key{{Text: d.Response + ":"}}
	for band := range len(edges) + 1 {
		p.Keys = append(p.Keys, Key{Text: bandName(band, edges), Glyph: Glyph(1), Color: fill(band)})
	}
	p.addDeciles(d.Axes[0].Deciles, d.Axes[1].Deciles)
	return p, nil
}

// bandEdges returns the round numbers between lo and hi at which bands end, about five.
func bandEdges(lo, hi float64) []float64 {
	var edges []float64
	if hi > lo {
		for _, t := range (steps{}).Ticks(lo, hi) {
			if t.Value > lo && t.Value < hi {
				edges = append(edges, t.Value)
			}
		}
	}
	return edges
}

// bandName is what a legend calls a band.
func bandName(band int, edges []float64) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	switch {
	case len(edges) == 0:
		return "the same everywhere"
	case band == 0:
		return "below " + number(edges[0])
	case band == len(edges):
		return "from " + number(edges[band-1])
	}
	return number(edges[band-1]) + " to " + number(edges[band])
}

// bilinear interpolates values on the grid of x and y, of which y varies faster.
func bilinear(x, y, values []float64, atX, atY float64) float64 {
	i, s := segment(x, atX)
	j, t := segment(y, atY)
	at := func(i, j int) float64 { return values[i*len(y)+j] }
	return (1-s)*((1-t)*at(i, j)+t*at(i, j+1)) + s*((1-t)*at(i+1, j)+t*at(i+1, j+1))
}

// segment returns the place before v among ascending numbers and how far it is from there
// to the next, from 0 to 1.
func segment(numbers []float64, v float64) (int, float64) {
	i := min(max(sort.SearchFloat64s(numbers, v)-1, 0), len(numbers)-2)
	return i, min(max((v-numbers[i])/(numbers[i+1]-numbers[i]), 0), 1)
}
