package plotx

import (
	"fmt"
	"image/color"
	"math"
	"sort"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Dependence is what [PartialDependence] draws, such as an
// *inspection.PartialDependence: what a model predicts on a grid of the values of one
// feature or two.
type Dependence interface {
	// NumFeatures returns 1 or 2.
	NumFeatures() int
	// Feature returns the name of feature i and its values on the grid, ascending. A
	// numeric feature has its deciles in the data, and may have none; a categorical one
	// has the name of each value instead.
	Feature(i int) (name string, values, deciles []float64, categories []string)
	// Predictions returns what is predicted, in words, and the mean prediction at each
	// point of the grid, on which the values of the second feature vary fastest. The
	// matrix has the predictions for a single row of the data in each row, and is nil if
	// they were not kept.
	Predictions() (response string, average []float64, individual *mat.Dense)
}

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
func PartialDependence(title string, d Dependence) (*Panel, error) {
	var read dependence
	if !given.IsNil(d) {
		read = readDependence(d)
	}
	p, err := read.draw(title)
	if err != nil {
		return nil, fmt.Errorf("plotx: partial dependence %q: %w", title, err)
	}
	return p, nil
}

// A dependence holds what a [Dependence] hands over.
type dependence struct {
	response   string
	axes       []axis
	average    []float64
	individual *mat.Dense
}

// An axis is a feature on the grid; categories is nil where it is numeric.
type axis struct {
	name            string
	values, deciles []float64
	categories      []string
}

func readDependence(d Dependence) (read dependence) {
	for i := range d.NumFeatures() {
		var a axis
		a.name, a.values, a.deciles, a.categories = d.Feature(i)
		read.axes = append(read.axes, a)
	}
	read.response, read.average, read.individual = d.Predictions()
	return read
}

func (d dependence) draw(title string) (*Panel, error) {
	if len(d.axes) == 0 || len(d.axes) > 2 {
		return nil, fmt.Errorf("%w: one or two features can be drawn", mlcore.ErrEmpty)
	}
	points := 1
	for _, a := range d.axes {
		points *= len(a.values)
		if a.categories != nil && len(a.categories) != len(a.values) {
			return nil, fmt.Errorf("%w: %s has %d categories and %d values", mlcore.ErrShape, a.name, len(a.categories), len(a.values))
		}
	}
	if points == 0 || len(d.average) != points {
		return nil, fmt.Errorf("%w: %d predictions for %d points", mlcore.ErrShape, len(d.average), points)
	}
	if err := checkFinite("prediction", d.average); err != nil {
		return nil, err
	}
	first := d.axes[0]
	if len(d.axes) == 1 {
		if first.categories != nil {
			p, err := Bars(title, d.response, "%.3g", first.categories, BarGroup{Values: d.average})
			if err == nil {
				p.Y.Label.Text = first.name
			}
			return p, err
		}
		return dependenceCurve(title, d)
	}
	second := d.axes[1]
	switch {
	case first.categories != nil && second.categories != nil:
		return dependenceTable(title, d)
	case first.categories != nil:
		return dependenceCurves(title, d.response, second, first, func(category, at int) float64 { return d.average[category*len(second.values)+at] })
	case second.categories != nil:
		return dependenceCurves(title, d.response, first, second, func(category, at int) float64 { return d.average[at*len(second.values)+category] })
	}
	return dependenceMap(title, d)
}

// maxRowCurves caps the number of curves of single rows.
const maxRowCurves = 200

func dependenceCurve(title string, d dependence) (*Panel, error) {
	x := d.axes[0].values
	p := newPanel(title, d.axes[0].name, d.response)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	p.Add(grid)
	average := Series{Name: "mean of all rows", X: x, Y: d.average, Dots: len(x) == 1}
	if d.individual != nil {
		n, points := d.individual.Dims()
		if points != len(x) {
			return nil, fmt.Errorf("%w: curves of %d points, the mean has %d", mlcore.ErrShape, points, len(x))
		}
		shown := min(n, maxRowCurves)
		thin := rows{style: draw.LineStyle{Color: Tint(7, 0.45), Width: vg.Points(0.5)}}
		for k := range shown {
			row := d.individual.RawRowView(k * n / shown)
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
	p.addDeciles(d.axes[0].deciles, nil)
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
func dependenceCurves(title, response string, along, by axis, at func(category, at int) float64) (*Panel, error) {
	series := make([]Series, len(by.values))
	for k, name := range by.categories {
		s := Series{Name: legendName(name), X: along.values, Y: make([]float64, len(along.values)), Dots: len(along.values) == 1}
		for g := range s.Y {
			s.Y[g] = at(k, g)
		}
		series[k] = s
	}
	p, err := Lines(title, along.name, response, series...)
	if err != nil {
		return nil, err
	}
	p.addDeciles(along.deciles, nil)
	return p, nil
}

// dependenceTable draws a cell for each pair of categories.
func dependenceTable(title string, d dependence) (*Panel, error) {
	rowNames, columnNames := d.axes[0].categories, d.axes[1].categories
	m := mat.NewDense(len(rowNames), len(columnNames), d.average)
	from, to := mat.Min(m), mat.Max(m)
	shade := func(_ int, v float64) float64 {
		if from == to {
			return 0
		}
		return (v - from) / (to - from)
	}
	p := cellTable(title, d.axes[1].name, d.axes[0].name, columnNames, rowNames, cells{m, "%.3g", shade, nil})
	p.Keys = []Key{{Text: d.response}}
	return p, nil
}

// mapCells is the number of cells along each side of a map in bands.
const mapCells = 240

// dependenceMap draws bands of predictions over two numeric features.
func dependenceMap(title string, d dependence) (*Panel, error) {
	x, y := d.axes[0].values, d.axes[1].values
	if len(x) < 2 || len(y) < 2 {
		return nil, fmt.Errorf("%w: a map needs two values of each feature; %s has %d and %s %d", mlcore.ErrShape, d.axes[0].name, len(x), d.axes[1].name, len(y))
	}
	p := newPanel(title, d.axes[0].name, d.axes[1].name)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x[0], x[len(x)-1], y[0], y[len(y)-1]
	lo, hi := d.average[0], d.average[0]
	for _, v := range d.average {
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
			g.classes[r*mapCells+c] = sort.Search(len(edges), func(i int) bool { return edges[i] > bilinear(x, y, d.average, atX, atY) })
		}
	}
	p.Add(g)
	p.Keys = []Key{{Text: d.response + ":"}}
	for band := range len(edges) + 1 {
		p.Keys = append(p.Keys, Key{Text: bandName(band, edges), Glyph: Glyph(1), Color: fill(band)})
	}
	p.addDeciles(d.axes[0].deciles, d.axes[1].deciles)
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
