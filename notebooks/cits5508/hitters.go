package cits5508

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// LogSalary returns the column "log salary" of a frame of players, the logarithms of its
// column Salary.
func LogSalary(players dataframe.DataFrame) series.Series {
	logs := players.Col("Salary").Float()
	for i, salary := range logs {
		logs[i] = math.Log(salary)
	}
	return series.New(logs, series.Float, "log salary")
}

// DrawRegions draws the samples of a data set of two features, marked by the third that their
// target belongs to, and a line for each question of a tree, where two of its boxes meet. It
// names the boxes R1, R2 and so on, from left to right in the drawing of the tree, in their
// upper right corners. It panics where the samples cannot be drawn in a plane, as a cell would.
func DrawRegions(ds *mlcore.Dataset, m *tree.Regressor, title string) *plotx.Panel {
	p, err := plotx.Scatter(thirds(ds), title)
	must(err)
	must(splitLines(p, m))
	return p
}

func splitLines(p *plotx.Panel, m *tree.Regressor) error {
	leaf := 0
	var draw func(i int, lo, hi [2]float64) error
	draw = func(i int, lo, hi [2]float64) error {
		n := m.Node(i)
		if n.Leaf() {
			leaf++
			return addName(p, fmt.Sprint("R", leaf), hi)
		}
		from, to, left, right := lo, hi, hi, lo
		from[n.Feature], to[n.Feature] = n.Threshold, n.Threshold
		left[n.Feature], right[n.Feature] = n.Threshold, n.Threshold
		line, err := plotter.NewLine(plotter.XYs{{X: from[0], Y: from[1]}, {X: to[0], Y: to[1]}})
		if err != nil {
			return err
		}
		line.Width = vg.Points(1)
		p.Add(line)
		if err := draw(n.Left, lo, left); err != nil {
			return err
		}
		return draw(n.Right, right, hi)
	}
	return draw(0, [2]float64{p.X.Min, p.Y.Min}, [2]float64{p.X.Max, p.Y.Max})
}

func addName(p *plotx.Panel, name string, corner [2]float64) error {
	label, err := plotter.NewLabels(plotter.XYLabels{
		XYs:    plotter.XYs{{X: corner[0], Y: corner[1]}},
		Labels: []string{name},
	})
	if err != nil {
		return err
	}
	style := p.Title.TextStyle
	style.XAlign, style.YAlign = text.XRight, text.YTop
	label.TextStyle[0] = style
	label.Offset = vg.Point{X: -3, Y: -1}
	p.Add(label)
	return nil
}
