package uci

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// A Chart is a figure of the report: two rows of its Table 2 beside each other.
type Chart struct {
	// Figure is its number in the report, Title what it is to show there.
	Figure, Title string
	Rows          [2]Algorithm
	// Families are the two algorithms' names among the [Families].
	Families [2]string
}

// Charts lists the report's Figures 2a to 3b.
func Charts() []Chart {
	return []Chart{
		{"2a", "two of the best algorithms", [2]Algorithm{RandomForest, KNN}, [2]string{"forest", "k-NN"}},
		{"2b", "how a random forest improves on ID3", [2]Algorithm{RandomForest, ID3}, [2]string{"forest", "ID3"}},
		{"3a", "effect of bagging", [2]Algorithm{BaggedNaiveBayes, NaiveBayes}, [2]string{"bagged NB", "naive Bayes"}},
		{"3b", "effect of boosting", [2]Algorithm{AdaBoost, ID3}, [2]string{"stumps", "ID3"}},
	}
}

// Draw draws the chart twice: by the report's Table 2, and by our [Comparisons], whose settings
// were chosen within the training rows. Both have the same axis.
func (c Chart) Draw() (report, ours plotx.Figure, err error) {
	var said, own [2]plotx.BarGroup
	kind := [2]string{"ensemble: ", "single: "} // the same colours in all charts
	for i := range c.Rows {
		said[i].Name = kind[i] + c.Families[i]
		own[i].Name = said[i].Name
		for _, s := range Sets() {
			o, _ := Published(s, c.Rows[i])
			score, err := ScoreOf(s, c.Families[i])
			if err != nil {
				return nil, nil, err
			}
			said[i].Values = append(said[i].Values, o.Mean)
			own[i].Values = append(own[i].Values, score.Mean())
		}
	}
	draw := func(whose string, groups [2]plotx.BarGroup) (plotx.Figure, error) {
		p, err := plotx.Bars(fmt.Sprintf("Figure %s, %s", c.Figure, whose), "accuracy, %", "%.1f", SetNames(), groups[:]...)
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

// ChartFigures draws all charts, the report's on the left and ours on the right.
func ChartFigures() ([]plotx.Figure, error) {
	var list []plotx.Figure
	for _, c := range Charts() {
		report, ours, err := c.Draw()
		if err != nil {
			return nil, err
		}
		list = append(list, report, ours)
	}
	return list, nil
}

// ChartTable has the values of the charts and, in brackets, the first of the two algorithms
// less the second, in points.
func ChartTable() ([][]string, error) {
	table := [][]string{append([]string{"figure", "algorithms", "whose"}, SetNames()...)}
	for _, c := range Charts() {
		pair := c.Families[0] + ", " + c.Families[1]
		said, own := []string{c.Figure, pair, "the report's"}, []string{c.Figure, pair, "ours"}
		for _, s := range Sets() {
			a, _ := Published(s, c.Rows[0])
			b, _ := Published(s, c.Rows[1])
			x, err := ScoreOf(s, c.Families[0])
			if err != nil {
				return nil, err
			}
			y, err := ScoreOf(s, c.Families[1])
			if err != nil {
				return nil, err
			}
			said, own = append(said, difference(a.Mean, b.Mean)), append(own, difference(x.Mean(), y.Mean()))
		}
		table = append(table, said, own)
	}
	return table, nil
}

func difference(a, b float64) string {
	points := fmt.Sprintf("%+.1f", a-b)
	if points == "-0.0" || points == "+0.0" {
		points = "0.0"
	}
	return fmt.Sprintf("%.1f, %.1f (%s)", a, b, points)
}

// SetNames are the names of the sets, in the order of Table 2.
func SetNames() (names []string) {
	for _, s := range Sets() {
		names = append(names, s.Name())
	}
	return names
}

// Values is a matrix as a table, a row for each name and a column for each set, to stand
// beside a picture of it.
func Values(names []string, m mat.Matrix, verb string) [][]string {
	table := [][]string{append([]string{""}, SetNames()...)}
	for i, name := range names {
		line := []string{name}
		for j := range Sets() {
			line = append(line, fmt.Sprintf(verb, m.At(i, j)))
		}
		table = append(table, line)
	}
	return table
}
