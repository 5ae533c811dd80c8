package co395

import (
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/plot"
)

// A Step of an evaluation has rows that fit models, rows that choose one of them, and rows
// that judge the chosen one.
type Step struct {
	Name               string
	Fit, Choose, Judge []int
}

// Roles draws a line of row numbers for each step, the first on top, where a marker shows
// the role of each row.
func Roles(title string, steps ...Step) (*plotx.Panel, error) {
	roles := []plotx.Series{{Name: "fits"}, {Name: "chooses"}, {Name: "judges"}}
	var ticks plot.ConstantTicks
	last := 0
	for i, step := range steps {
		height := float64(len(steps) - i)
		ticks = append(ticks, plot.Tick{Value: height, Label: step.Name})
		for r, rows := range [][]int{step.Fit, step.Choose, step.Judge} {
			for _, row := range rows {
				last = max(last, row)
				roles[r].X, roles[r].Y = append(roles[r].X, float64(row)), append(roles[r].Y, height)
			}
		}
	}
	var drawn []plotx.Series
	for _, role := range roles {
		if role.Dots, role.NoLine = true, true; len(role.X) > 0 {
			drawn = append(drawn, role)
		}
	}
	p, err := plotx.Lines(title, "row", "", drawn...)
	if err != nil {
		return nil, err
	}
	p.Y.Tick.Marker = ticks
	return p.ClipX(-0.5, float64(last)+0.5).ClipY(0.5, float64(len(steps))+0.5).Resize(6.4, 1.2+0.35*float64(len(steps))), nil
}
