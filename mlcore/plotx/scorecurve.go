package plotx

import (
	"fmt"
	"image/color"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// A ScoreCurve is what [LearningCurve] and [ValidationCurve] draw, such as a
// *modelsel.Curve: the scores of cross-validations along something that varies.
type ScoreCurve interface {
	// Axes returns what varies, such as the values of a setting, and the name of the score.
	Axes() (x []float64, score string)
	// Test returns for each x the mean of the scores of the test rows and their standard
	// deviation over the folds.
	Test() (means, sds []float64)
	// Train is Test for the training rows. It returns nil if they have no scores.
	Train() (means, sds []float64)
}

// LearningCurve draws the mean scores of training and test rows over the number of
// training rows, within bands of one standard deviation over the folds.
func LearningCurve(title string, c ScoreCurve) (*Panel, error) {
	return ValidationCurve(title, "training rows", c)
}

// ValidationCurve draws the mean scores of training and test rows over a setting,
// which labels the x axis, within bands of one standard deviation over the folds. A curve
// without training scores, such as that of a threshold, has one band. Markers are left out
// where there are 50 points or more.
// [Panel.LogX] and [Panel.TicksAt] suit a setting that doubles from value to value.
func ValidationCurve(title, setting string, c ScoreCurve) (*Panel, error) {
	none := fmt.Errorf("plotx: curve %q: %w: no points", title, mlcore.ErrEmpty)
	if given.IsNil(c) {
		return nil, none
	}
	x, score := c.Axes()
	test, testSD := c.Test()
	if len(test) == 0 {
		return nil, none
	}
	p := newPanel(title, setting, score)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	p.Add(grid)
	bands := []Series{{Name: "test rows", Y: test, Err: testSD}}
	if train, trainSD := c.Train(); train != nil {
		bands = []Series{{Name: "training rows", Y: train, Err: trainSD}, bands[0]}
	}
	for i, s := range bands {
		s.X, s.Dots = x, len(x) < manyPoints
		if err := p.addBand(i, s); err != nil {
			return nil, fmt.Errorf("plotx: curve %q, %s: %w", title, s.Name, err)
		}
	}
	return p, nil
}

// manyPoints are too many for a marker each.
const manyPoints = 50

// TicksAt puts the labels of the x axis at the given values, such as those that were
// tried, and returns the panel.
func (p *Panel) TicksAt(values ...float64) *Panel {
	ticks := make(plot.ConstantTicks, len(values))
	for i, v := range values {
		ticks[i] = plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 4, 64)}
	}
	p.X.Tick.Marker = ticks
	return p
}

// addBand adds a curve whose error is a band instead of bars.
func (p *Panel) addBand(i int, s Series) error {
	if err := checkSeries(s); err != nil {
		return err
	}
	if len(s.Err) != len(s.Y) {
		return fmt.Errorf("%w: %d points and %d errors", mlcore.ErrShape, len(s.Y), len(s.Err))
	}
	if err := checkFinite("error", s.Err); err != nil {
		return err
	}
	n := len(s.X)
	outline := make(plotter.XYs, 2*n)
	for k := range n {
		outline[k] = plotter.XY{X: s.X[k], Y: s.Y[k] + s.Err[k]}
		outline[2*n-1-k] = plotter.XY{X: s.X[k], Y: s.Y[k] - s.Err[k]}
	}
	band, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}
	c := Color(i)
	band.Color, band.LineStyle.Width = color.NRGBA{c.R, c.G, c.B, 0x38}, 0
	p.Add(band)
	s.Err = nil
	return p.addSeries(i, s)
}

// History draws what was measured after each epoch or round of training, counted
// from 1: the training rows' value and, unless validation is nil, that of the
// validation rows.
func History(title, xLabel, yLabel string, training, validation []float64) (*Panel, error) {
	series := []Series{{Name: "training rows", Y: training}}
	if validation != nil {
		series = append(series, Series{Name: "validation rows", Y: validation, Dashed: true})
	}
	for i := range series {
		s := &series[i]
		s.X = make([]float64, len(s.Y))
		for k := range s.X {
			s.X[k] = float64(k + 1)
		}
		if err := checkSeries(*s); err != nil {
			return nil, fmt.Errorf("plotx: history %q, %s: %w", title, s.Name, err)
		}
	}
	return Lines(title, xLabel, yLabel, series...)
}
