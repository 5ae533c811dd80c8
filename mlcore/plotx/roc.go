package plotx

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Curve is a line through points. The curves of package metrics are Curves.
type Curve interface {
	// Points returns the coordinates of the points along the x axis and along the y axis,
	// equally many of them.
	Points() (x, y []float64)
}

// A ROCCurve is what [ROC] draws, such as a metrics.ROCCurve.
type ROCCurve interface {
	// The points are the false and the true positive rates, which rise from 0 to 1.
	Curve
	// AUC returns the area under the curve.
	AUC() float64
}

// A NamedROC is one curve of [ROC].
type NamedROC struct {
	Name  string
	Curve ROCCurve
}

// ROC draws ROC curves with their areas in the legend, and the diagonal that
// guessing would give.
func ROC(title string, curves ...NamedROC) (*Panel, error) {
	p, err := unitPanel("ROC", title, "false positive rate", "true positive rate", len(curves))
	if err != nil {
		return nil, err
	}
	p.addReference("guessing", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	for i, c := range curves {
		s, err := through(c.Curve)
		if err == nil {
			s.Name = fmt.Sprintf("%s (AUC %s)", c.Name, strconv.FormatFloat(c.Curve.AUC(), 'f', 3, 64))
			err = p.addCurve(i, s)
		}
		if err != nil {
			return nil, fmt.Errorf("plotx: ROC %q, curve %q: %w", title, c.Name, err)
		}
	}
	return p, nil
}

// ROCDifference draws how far ROC curves lie above or below one of them, curves[base],
// which is the line at 0: for curves that can hardly be told apart in [ROC], where each
// has the same colour.
func ROCDifference(title string, base int, curves ...NamedROC) (*Panel, error) {
	const steps = 200
	if base < 0 || base >= len(curves) {
		return nil, fmt.Errorf("plotx: ROC difference %q: %w: the base is curve %d of %d", title, mlcore.ErrShape, base, len(curves))
	}
	drawn := make([]Series, len(curves))
	for i, c := range curves {
		s, err := through(c.Curve)
		if err != nil {
			return nil, fmt.Errorf("plotx: ROC difference %q, curve %q: %w", title, c.Name, err)
		}
		drawn[i] = s
	}
	series := make([]Series, len(curves))
	for i, c := range curves {
		s := Series{Name: c.Name}
		for k := range steps + 1 {
			x := float64(k) / steps
			s.X, s.Y = append(s.X, x), append(s.Y, tprAt(drawn[i], x)-tprAt(drawn[base], x))
		}
		series[i] = s
	}
	return Lines(title, "false positive rate", "true positive rate gained", series...)
}

// tprAt is the height of a curve at a false positive rate, the greatest where it rises
// straight up.
func tprAt(roc Series, fpr float64) float64 {
	after := sort.Search(len(roc.X), func(k int) bool { return roc.X[k] > fpr })
	switch after {
	case 0:
		return roc.Y[0]
	case len(roc.X):
		return roc.Y[after-1]
	}
	share := (fpr - roc.X[after-1]) / (roc.X[after] - roc.X[after-1])
	return roc.Y[after-1] + float64(share*(roc.Y[after]-roc.Y[after-1]))
}

// A PRCurve is what [PrecisionRecall] draws, such as a metrics.PRCurve.
type PRCurve interface {
	// The points are recalls, which fall to 0, and precisions.
	Curve
	// AveragePrecision returns the area under the curve as steps.
	AveragePrecision() float64
}

// A NamedPR is one curve of [PrecisionRecall].
type NamedPR struct {
	Name  string
	Curve PRCurve
}

// PrecisionRecall draws precision over recall as steps, with the average precisions
// in the legend, and the share of positive rows, which is the precision of
// guessing. All curves must be of the same rows, since the share of the first is
// drawn.
func PrecisionRecall(title string, curves ...NamedPR) (*Panel, error) {
	p, err := unitPanel("precision-recall curves", title, "recall", "precision", len(curves))
	if err != nil {
		return nil, err
	}
	var share float64
	for i, c := range curves {
		s, err := through(c.Curve)
		if err == nil {
			s.Name = fmt.Sprintf("%s (AP %s)", c.Name, strconv.FormatFloat(c.Curve.AveragePrecision(), 'f', 3, 64))
			// Recall falls along the curve, so that each precision holds to its left, as
			// the average precision has it.
			s.Steps = true
			err = p.addCurve(i, s)
		}
		if err != nil {
			return nil, fmt.Errorf("plotx: precision-recall curves %q, curve %q: %w", title, c.Name, err)
		}
		if i == 0 {
			share = s.Y[0] // at the lowest threshold every row is called positive
		}
	}
	p.addReference("guessing", plotter.XYs{{X: 0, Y: share}, {X: 1, Y: share}})
	return p, nil
}

// A NamedCalibration is one curve of [Calibration], such as a metrics.CalibrationCurve. Its
// points are the mean predicted probability of each bin and the share of positive rows.
type NamedCalibration struct {
	Name  string
	Curve Curve
}

// Calibration draws the share of positive rows over the predicted probability,
// and the diagonal, on which the two are equal.
func Calibration(title string, curves ...NamedCalibration) (*Panel, error) {
	p, err := unitPanel("calibration curves", title, "mean predicted probability", "fraction of positives", len(curves))
	if err != nil {
		return nil, err
	}
	p.addReference("well calibrated", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	for i, c := range curves {
		s, err := through(c.Curve)
		if err == nil {
			s.Name, s.Dots = c.Name, true
			err = p.addSeries(i, s)
		}
		if err != nil {
			return nil, fmt.Errorf("plotx: calibration curves %q, curve %q: %w", title, c.Name, err)
		}
	}
	return p, nil
}

// unitPanel is a square panel of the unit square.
func unitPanel(what, title, xLabel, yLabel string, curves int) (*Panel, error) {
	if curves == 0 {
		return nil, fmt.Errorf("plotx: %s %q: %w: no curves", what, title, mlcore.ErrEmpty)
	}
	p := newPanel(title, xLabel, yLabel).Resize(4, 4.2)
	p.Square = true
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	p.Add(grid)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	return p, nil
}

// through returns a line through the points of a curve, or an error if it cannot be drawn.
func through(c Curve) (Series, error) {
	if given.IsNil(c) {
		return Series{}, fmt.Errorf("%w: no points", mlcore.ErrEmpty)
	}
	var s Series
	s.X, s.Y = c.Points()
	return s, checkSeries(s)
}

// checkSeries refuses what cannot be drawn: an undefined curve has NaN.
func checkSeries(s Series) error {
	if len(s.X) == 0 {
		return fmt.Errorf("%w: no points", mlcore.ErrEmpty)
	}
	if len(s.X) != len(s.Y) {
		return fmt.Errorf("%w: %d x and %d y values", mlcore.ErrShape, len(s.X), len(s.Y))
	}
	return cmp.Or(checkFinite("x", s.X), checkFinite("y", s.Y))
}

// checkFinite refuses NaN and infinities, of which an axis can show nothing.
func checkFinite(what string, values []float64) error {
	for i, v := range values {
		if v-v != 0 {
			return fmt.Errorf("%w: %s %v at index %d", mlcore.ErrNonFinite, what, v, i)
		}
	}
	return nil
}

// marksOnCurve is the number of markers that tell one long curve from another.
const marksOnCurve = 6

// addCurve adds a line of many points with a few markers on it, those of one curve
// beside those of another.
func (p *Panel) addCurve(i int, s Series) error {
	if err := p.addSeries(i, s); err != nil {
		return err
	}
	var at plotter.XYs
	n := len(s.X)
	for m := range marksOnCurve {
		share := (float64(m) + 0.3 + 0.15*float64(i%4)) / marksOnCurve
		k := min(int(share*float64(n)), n-1)
		at = append(at, plotter.XY{X: s.X[k], Y: s.Y[k]})
	}
	dots, err := plotter.NewScatter(at)
	if err != nil {
		return err
	}
	dots.GlyphStyle = glyphStyle(i, Color(i), 2.6)
	p.Add(dots)
	p.Keys[len(p.Keys)-1].Glyph = Glyph(i)
	return nil
}

// addReference adds a dashed grey line to compare with.
func (p *Panel) addReference(name string, pts plotter.XYs) {
	style := draw.LineStyle{Color: Color(7), Width: vg.Points(1), Dashes: []vg.Length{vg.Points(4), vg.Points(3)}}
	p.Add(&plotter.Line{XYs: pts, LineStyle: style})
	p.Keys = append(p.Keys, Key{Text: name, Line: &style, Color: style.Color})
}
