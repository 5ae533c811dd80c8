package ada511

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/stat"
)

// MeanCurve is the curve of the mean of y over seeds, 0 to seeds-1, with the
// standard error of the mean as bars. Different seeds have to stand for data or
// draws that are independent.
func MeanCurve(name string, xs []float64, seeds int, y func(x float64, seed uint64) float64) plotx.Series {
	s := plotx.Series{Name: name, Dots: true}
	for _, x := range xs {
		values := assess.Seeds(seeds, func(seed uint64) float64 { return y(x, seed) })
		mean, sd := stat.MeanStdDev(values, nil)
		s.X, s.Y = append(s.X, x), append(s.Y, mean)
		s.Err = append(s.Err, sd/math.Sqrt(float64(seeds)))
	}
	return s
}

// Pair is two models and their values on the same data sets, such as errors.
type Pair struct {
	First  string
	A      []float64
	Second string
	B      []float64
}

// Verdict is [Verdicts] of a single pair.
func Verdict(nameA string, a []float64, nameB string, b []float64) string {
	return Verdicts(Pair{nameA, a, nameB, b})
}

// Verdicts compares pairs of models on values from data sets that were drawn independently
// of each other, by the paired t test, and says the results in words, a line each: both
// means, how large the difference is with its 95 % interval, and the test. The p-values of
// several pairs are corrected together by Holm's method. (For the folds of a
// cross-validation, whose training sets overlap, there is [OnFolds].)
func Verdicts(pairs ...Pair) string {
	var all []assess.Comparison
	var p []float64
	for _, pair := range pairs {
		c := assess.ComparePairs(pair.First, pair.A, pair.Second, pair.B)
		all, p = append(all, c), append(p, c.P)
	}
	name, texts := "p", holm(p)
	if len(p) > 1 {
		name = "Holm's p"
	}
	var lines []string
	for i, c := range all {
		line := fmt.Sprintf("%s %.4f, %s %.4f: ", c.First, c.Errors[0], c.Second, c.Errors[1])
		if c.DF == 0 {
			lines = append(lines, line+"the difference is the same on every data set, so there is no spread to judge it by")
			continue
		}
		text := texts[i]
		if !strings.HasPrefix(text, "<") {
			text = "= " + text
		}
		line += fmt.Sprintf("%s less %s %.4f, 95 %% interval %.4f to %.4f (t = %.2f, df = %.0f, %s %s): ",
			c.First, c.Second, c.Difference+0, c.Lower, c.Upper, math.Round(100*c.T)/100+0, c.DF, name, text)
		if c.P = adjusted(p)[i]; c.P < 0.05 {
			line += "a difference is shown"
		} else {
			line += "no difference is shown"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// LargestFirst sorts names and the bars of several groups by the values of the first group,
// the largest first. It returns the sorted names, and changes the groups.
func LargestFirst(names []string, groups ...*plotx.ErrorBarGroup) []string {
	order, by := all(len(names)), groups[0].Values
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(by[b], by[a]) })
	for _, g := range groups {
		values, err := make([]float64, len(order)), make([]float64, len(order))
		for to, from := range order {
			values[to], err[to] = g.Values[from], g.Err[from]
		}
		g.Values, g.Err = values, err
	}
	sorted := make([]string, len(order))
	for to, from := range order {
		sorted[to] = names[from]
	}
	return sorted
}
