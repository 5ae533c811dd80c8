package lab3

import "github.com/mllabs-go/mllabs/mlcore/plotx"

// FirstQuestions draws what the roots of trees ask: a histogram of thresholds for each
// feature, with the same axes. Roots that are leaves do not count.
func FirstQuestions(roots []*Tree, features []string) ([]plotx.Figure, error) {
	var thresholds []float64
	var asked []int
	for _, root := range roots {
		if !root.Leaf() {
			thresholds, asked = append(thresholds, root.Thresh), append(asked, root.Feature)
		}
	}
	panels, err := plotx.Histograms("threshold of the first question", thresholds, asked, features, 30)
	for _, p := range panels {
		if p, ok := p.(*plotx.Panel); ok {
			p.Y.Label.Text = "trees"
		}
	}
	return panels, err
}
