package uci

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Difference is by how much one family is better than another on the same ten folds of a
// set.
type Difference struct {
	// Pair names the set, and the second family less the first.
	Pair string `table:"difference"`
	// Points is the mean difference of their accuracies, in percentage points, and Half is
	// half the length of its 95 % interval, that of the corrected t test.
	Points float64 `table:"points"`
	Half   float64 `table:"give or take"`
	// T is the statistic of the corrected t test.
	T float64 `table:"corrected t"`
	// Paired and Corrected are the p-values of the paired and of the corrected t test, two-sided.
	Paired    string `table:"p, paired"`
	Corrected string `table:"p, corrected"`

	p     float64
	folds []float64
}

// P is the p-value of the corrected t test.
func (d Difference) P() float64 { return d.p }

// Folds are the differences on the ten folds, in percentage points.
func (d Difference) Folds() []float64 { return d.folds }

// testTrainRatio is that of the rows of a fold to the others, with five folds.
const testTrainRatio = 1.0 / 4

// Compare is the second family less the first on a set, from [familyScores]. Where the mean
// difference is 0, T is 0 and p is 1, also if the two agree on every fold.
func Compare(s Set, first, second string) (Difference, error) {
	a, err := scoreOf(s, first)
	if err != nil {
		return Difference{}, err
	}
	b, err := scoreOf(s, second)
	if err != nil {
		return Difference{}, err
	}
	folds := floats.SubTo(make([]float64, len(a.Accuracies)), b.Accuracies, a.Accuracies)
	mean, variance := stat.MeanVariance(folds, nil)
	d := Difference{Pair: s.Name() + ": " + second + " - " + first, Paired: PText(1), Corrected: PText(1), p: 1, folds: folds}
	quantile := distuv.StudentsT{Sigma: 1, Nu: float64(len(folds) - 1)}.Quantile(0.975)
	d.Half = quantile * math.Sqrt((1/float64(len(folds))+testTrainRatio)*variance)
	if math.Abs(mean) < 1e-9 { // 0, but for rounding
		return d, nil
	}
	paired, err := sigtest.PairedT(b.Accuracies, a.Accuracies, sigtest.TwoSided)
	if err != nil {
		return Difference{}, err
	}
	corrected, err := sigtest.CorrectedResampledT(b.Accuracies, a.Accuracies, testTrainRatio, sigtest.TwoSided)
	if err != nil {
		return Difference{}, err
	}
	d.Points, d.T, d.p = mean, corrected.Statistic, corrected.PValue
	d.Paired, d.Corrected = PText(paired.PValue), PText(d.p)
	return d, nil
}

// PText is a p-value with three digits, or "< 0.001": it is never 0.
func PText(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// AfterHolm lists the differences that are significant at 5 % by the corrected t test and Holm's
// procedure for all that are given.
func AfterHolm(list []Difference) (held []Difference, err error) {
	p := make([]float64, len(list))
	for i, d := range list {
		p[i] = d.p
	}
	r, err := sigtest.Holm(p, 0.05)
	if err != nil {
		return nil, err
	}
	for i, d := range list {
		if r.Rejected[i] {
			held = append(held, d)
		}
	}
	return held, nil
}

// Friedman is Friedman's test of families on the five sets, by their mean accuracies.
func Friedman(families []string) (*sigtest.FriedmanResult, error) {
	m, err := Means(families)
	if err != nil {
		return nil, err
	}
	return sigtest.FriedmanConfig{}.Test(m.T())
}

// RankDiagram draws the average ranks of families on the five sets, with Nemenyi's critical
// difference at 5 %.
func RankDiagram(title string, families []string) (plotx.Figure, error) {
	r, err := Friedman(families)
	if err != nil {
		return nil, err
	}
	n, err := r.Nemenyi(0.05)
	if err != nil {
		return nil, err
	}
	return plotx.CriticalDifference(title, families, r, n)
}

// MeansFigure draws the mean accuracies of families on the five sets, each column shaded from
// its worst to its best, and returns them as a table, too.
func MeansFigure(title string, families []string) (plotx.Figure, [][]string) {
	m := must(Means(families))
	figure := must(plotx.ColumnMatrix(title, "", "", "%.1f", families, setNames(), m))
	return figure, valueTable(families, m, "%.1f")
}
