package plotx

import (
	"fmt"
	"image/color"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A ConfusionMatrix is what [Confusion] draws, such as a *metrics.ConfusionMatrix.
type ConfusionMatrix interface {
	// ClassNames returns the names of the classes.
	ClassNames() []string
	// Counts returns a row for each true class and a column for each predicted one.
	Counts() *mat.Dense
}

// Confusion draws a confusion matrix as [Matrix] does, with the names of its classes:
// a row for each true class and a column for each predicted one. Weighted counts that
// are not whole have one decimal place.
func Confusion(cm ConfusionMatrix) (*Panel, error) {
	if given.IsNil(cm) || len(cm.ClassNames()) == 0 {
		return nil, fmt.Errorf("plotx: confusion matrix: %w", mlcore.ErrEmpty)
	}
	names, counts, verb := cm.ClassNames(), cm.Counts(), "%.0f"
	if err := checkNamed(counts, names, names); err != nil {
		return nil, fmt.Errorf("plotx: confusion matrix: %w", err)
	}
	for i := range names {
		for _, v := range counts.RawRowView(i) {
			if v != math.Trunc(v) {
				verb = "%.1f"
			}
		}
	}
	return Matrix("Confusion matrix", "true class", "predicted class", verb, names, names, counts)
}

// Matrix draws a matrix as a grid of shaded cells, darker for larger, with the
// value in each cell in the given fmt verb such as "%.0f". Rows run from the top.
// For a confusion matrix rows are the true classes and columns the predicted. A
// NaN, which stands for an undefined value, is an empty cell with a dash.
func Matrix(title, rowLabel, columnLabel, verb string, rowNames, columnNames []string, m mat.Matrix) (*Panel, error) {
	if err := checkNamed(m, rowNames, columnNames); err != nil {
		return nil, fmt.Errorf("plotx: matrix %q: %w", title, err)
	}
	r, c := m.Dims()
	top := 0.0
	for i := range r {
		for j := range c {
			if v := math.Abs(m.At(i, j)); v > top {
				top = v
			}
		}
	}
	shade := func(_ int, v float64) float64 {
		if top == 0 {
			return 0
		}
		return math.Abs(v) / top
	}
	return cellTable(title, columnLabel, rowLabel, columnNames, rowNames, cells{m, verb, shade, nil}), nil
}

// ColumnMatrix is [Matrix] with the shades of each column on its own, from the least
// value, pale, to the greatest, dark: for columns in units of their own, or with values
// that lie close together and far from 0.
func ColumnMatrix(title, rowLabel, columnLabel, verb string, rowNames, columnNames []string, m mat.Matrix) (*Panel, error) {
	if err := checkNamed(m, rowNames, columnNames); err != nil {
		return nil, fmt.Errorf("plotx: matrix %q: %w", title, err)
	}
	r, c := m.Dims()
	lo, hi := make([]float64, c), make([]float64, c)
	for j := range c {
		lo[j], hi[j] = math.Inf(1), math.Inf(-1)
		for i := range r {
			if v := m.At(i, j); !math.IsNaN(v) {
				lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
			}
		}
	}
	shade := func(j int, v float64) float64 {
		if !(hi[j] > lo[j]) {
			return 0
		}
		return (v - lo[j]) / (hi[j] - lo[j])
	}
	return cellTable(title, columnLabel, rowLabel, columnNames, rowNames, cells{m, verb, shade, nil}), nil
}

// checkNamed refuses a matrix without a name for each row and column, or with
// infinities.
func checkNamed(m mat.Matrix, rowNames, columnNames []string) error {
	if m == nil {
		return mlcore.ErrEmpty
	}
	if r, c := m.Dims(); r != len(rowNames) || c != len(columnNames) {
		return fmt.Errorf("%w: %d×%d values, %d row and %d column names", mlcore.ErrShape, r, c, len(rowNames), len(columnNames))
	}
	return mlcore.CheckMatrix(m, true)
}

// cellTable returns a panel of named rows, from the top, and columns of cells.
func cellTable(title, xLabel, yLabel string, columnNames, rowNames []string, k cells) *Panel {
	p := newPanel(title, xLabel, yLabel)
	r, c := k.m.Dims()
	p.Width, p.Height = vg.Points(90+46*float64(c)), vg.Points(80+30*float64(r))
	p.Add(k)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, float64(c)-0.5, 0.5-float64(r), 0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = names(columnNames, 1), names(rowNames, -1)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Length, a.LineStyle.Width, a.Padding = 0, 0, 0
	}
	return p
}

func names(labels []string, step float64) plot.ConstantTicks {
	t := make(plot.ConstantTicks, len(labels))
	for i, l := range labels {
		t[i] = plot.Tick{Value: step * float64(i), Label: l}
	}
	return t
}

// cells are drawn with their values in the given verb, NaN as a dash.
type cells struct {
	m      mat.Matrix
	verb   string
	shade  func(column int, v float64) float64 // from 0, pale, to 1, dark
	framed *cell
}

// cell is a place in a matrix.
type cell struct{ row, column int }

func (k cells) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	box := func(i, j int, inset vg.Length) []vg.Point {
		x0, x1 := trX(float64(j)-0.5)+inset, trX(float64(j)+0.5)-inset
		y0, y1 := trY(-float64(i)-0.5)+inset, trY(-float64(i)+0.5)-inset
		return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}, {X: x0, Y: y0}}
	}
	rows, columns := k.m.Dims()
	for i := range rows {
		for j := range columns {
			v := k.m.At(i, j)
			says, shade := fmt.Sprintf(k.verb, v), 0.0
			if math.IsNaN(v) {
				says = "–"
			} else {
				shade = k.shade(j, v)
			}
			whole := box(i, j, 0)
			c.FillPolygon(cellTint(shade), whole[:4])
			c.StrokeLines(draw.LineStyle{Color: color.White, Width: 1}, whole)
			c.FillText(centred(9), vg.Point{X: (whole[0].X + whole[1].X) / 2, Y: (whole[0].Y + whole[2].Y) / 2}, says)
			if k.framed != nil && *k.framed == (cell{i, j}) {
				c.StrokeLines(draw.LineStyle{Color: ink, Width: 2}, box(i, j, 2))
			}
		}
	}
}

// cellTint is the colour of a cell, never so dark that its value could not be read.
func cellTint(shade float64) color.RGBA { return Tint(0, 0.04+0.6*shade) }
