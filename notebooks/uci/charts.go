package uci

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// A chart is a figure of the report: two rows of its Table 2 beside each other.
type chart struct {
	// Figure is its number in the report, Title what it is to show there.
	Figure, Title string
	Rows          [2]Algorithm
	// Families are the two algorithms' names among those of [familiesOf].
	Families [2]string
}

// reportCharts lists the report's Figures 2a to 3b.
func reportCharts() []chart {
	return []chart{
		{"2a", "two of the best algorithms", [2]Algorithm{RandomForest, KNN}, [2]string{"forest", "k-NN"}},
		{"2b", "how a random forest improves on ID3", [2]Algorithm{RandomForest, ID3}, [2]string{"forest", "ID3"}},
		{"3a", "effect of bagging", [2]Algorithm{BaggedNaiveBayes, NaiveBayes}, [2]string{"bagged NB", "naive Bayes"}},
		{"3b", "effect of boosting", [2]Algorithm{AdaBoost, ID3}, [2]string{"stumps", "ID3"}},
	}
}

// draw draws the chart twice: by the report's Table 2, and by our [familyScores], whose settings
// were chosen within the training rows. Both have the same axis.
func (c chart) draw() (report, ours plotx.Figure, err error) {
	var said, own [2]plotx.BarGroup
	kind := [2]string{"ensemble: ", "single: "} // the same colours in all charts
	for i := range c.Rows {
		said[i].Name = kind[i] + c.Families[i]
		own[i].Name = said[i].Name
		for _, s := range Sets() {
			o, _ := Published(s, c.Rows[i])
			score, err := scoreOf(s, c.Families[i])
			if err != nil {
				return nil, nil, err
			}
			said[i].Values = append(said[i].Values, o.Mean)
			own[i].Values = append(own[i].Values, score.Mean())
		}
	}
	draw := func(whose string, groups [2]plotx.BarGroup) (plotx.Figure, error) {
		p, err := plotx.Bars(fmt.Sprintf("Figure %s, %s", c.Figure, whose), "accuracy, %", "%.1f", setNames(), groups[:]...)
		if err != nil {
			return nil, err
		}
		p.X.Min, p.X.Max = 0, 118 // room for the values behind the bars
		return p.Resize(3.4, 2.5), nil
	}
	if report, err = draw("the report", said); err != nil {
		return nil, nil, err
	}
	ours, err = draw("settings chosen inside", own)
	return report, ours, err
}

// Charts draws all charts, the report's on the left and ours on the right. The table has their
// values and, in brackets, the first of the two algorithms less the second, in points.
func Charts() (figures []plotx.Figure, table [][]string) {
	table = [][]string{append([]string{"figure", "algorithms", "whose"}, setNames()...)}
	for _, c := range reportCharts() {
		report, ours, err := c.draw()
		figures = append(figures, must(report, err), ours)
		pair := c.Families[0] + ", " + c.Families[1]
		said, own := []string{c.Figure, pair, "the report's"}, []string{c.Figure, pair, "ours"}
		for _, s := range Sets() {
			a, _ := Published(s, c.Rows[0])
			b, _ := Published(s, c.Rows[1])
			x, y := must(scoreOf(s, c.Families[0])), must(scoreOf(s, c.Families[1]))
			said, own = append(said, difference(a.Mean, b.Mean)), append(own, difference(x.Mean(), y.Mean()))
		}
		table = append(table, said, own)
	}
	return figures, table
}

func difference(a, b float64) string {
	points := fmt.Sprintf("%+.1f", a-b)
	if points == "-0.0" || points == "+0.0" {
		points = "0.0"
	}
	return fmt.Sprintf("%.1f, %.1f (%s)", a, b, points)
}

// setNames are the names of the sets, in the order of Table 2.
func setNames() (names []string) {
	for _, s := range Sets() {
		names = append(names, s.Name())
	}
	return names
}

// valueTable is a matrix as a table, a row for each name and a column for each set, to stand
// beside a picture of it.
func valueTable(names []string, m mat.Matrix, verb string) [][]string {
	table := [][]string{append([]string{""}, setNames()...)}
	for i, name := range names {
		line := []string{name}
		for j := range Sets() {
			line = append(line, fmt.Sprintf(verb, m.At(i, j)))
		}
		table = append(table, line)
	}
	return table
}
