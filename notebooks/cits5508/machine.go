package cits5508

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/plotter"
)

// FitStreet trains a support vector machine with a straight boundary at the price C.
func FitStreet(ds *mlcore.Dataset, C float64) Street {
	m, err := svm.Config{C: C, Kernel: svm.Linear{}}.FitClassifier(ds)
	if err != nil {
		panic(err)
	}
	return Street{Data: ds, W: m.Coef().RawRowView(0), B: m.Intercept()[0],
		Title: fmt.Sprint("C = ", C), Support: m.Support()}
}

// Decision is the decision value w·x + b of a sample x.
func (s Street) Decision(x []float64) float64 { return floats.Dot(s.W, x) + s.B }

// Width is the distance between the edges, 2 over the length of w; infinite if w is 0.
func (s Street) Width() float64 { return 2 / floats.Norm(s.W, 2) }

// A Tube is the line f(x) = w x + b of a support vector regression on one feature, with
// the tube around it.
type Tube struct {
	// Data has one feature and a target.
	Data *mlcore.Dataset
	W, B float64
	// Epsilon is the half-width of the tube, up and down.
	Epsilon float64
}

// Predicted is f(x) of each row of the data.
func (t Tube) Predicted() []float64 {
	values := make([]float64, t.Data.Len())
	for i := range values {
		values[i] = t.at(t.Data.X.At(i, 0))
	}
	return values
}

func (t Tube) at(x float64) float64 { return float64(t.W*x) + t.B }

// Panel draws the line, the tube as a band, and the samples; the rows outside get a marker
// of their own. It panics where it cannot, as a cell would.
func (t Tube) Panel(outside []int) *plotx.Panel {
	in, out := apart(t.Data, outside, "in the tube", "outside")
	p, err := plotx.Lines(fmt.Sprint("ε = ", t.Epsilon), "x", "y", in, out)
	if err != nil {
		panic(fmt.Errorf("cits5508: the tube: %w", err))
	}
	x0, x1 := math.Inf(1), math.Inf(-1)
	for i := range t.Data.Len() {
		x0, x1 = min(x0, t.Data.X.At(i, 0)), max(x1, t.Data.X.At(i, 0))
	}
	edge := func(up float64) plotter.XYs {
		return plotter.XYs{{X: x0, Y: t.at(x0) + up}, {X: x1, Y: t.at(x1) + up}}
	}
	low, high := edge(-t.Epsilon), edge(t.Epsilon)
	band, err := plotter.NewPolygon(plotter.XYs{low[0], low[1], high[1], high[0]})
	if err != nil {
		panic(fmt.Errorf("cits5508: the tube: %w", err))
	}
	band.Color, band.LineStyle.Width = asphalt, 0
	p.Add(band)
	addLine(p, low, true, "")
	addLine(p, high, true, "f(x) ± ε")
	addLine(p, edge(0), false, "f(x)")
	lo, hi := min(floats.Min(t.Data.Target), low[0].Y, low[1].Y), max(floats.Max(t.Data.Target), high[0].Y, high[1].Y)
	dx, dy := (x1-x0)/20, (hi-lo)/20
	return p.ClipX(x0-dx, x1+dx).ClipY(lo-dy, hi+dy)
}

// apart makes two series of points of the samples of a data set of one feature, the given
// rows and the others, with the names of the others and of the rows.
func apart(ds *mlcore.Dataset, rows []int, others, these string) (rest, chosen plotx.Series) {
	rest, chosen = plotx.Series{Name: others, NoLine: true}, plotx.Series{Name: these, NoLine: true}
	for i, y := range ds.Target {
		s := &rest
		if slices.Contains(rows, i) {
			s = &chosen
		}
		s.X, s.Y = append(s.X, ds.X.At(i, 0)), append(s.Y, y)
	}
	return rest, chosen
}
