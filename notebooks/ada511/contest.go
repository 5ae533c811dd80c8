package ada511

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"github.com/mllabs-go/mllabs/notebooks/assess"
)

// Scored is a model and its error rates on the folds of [TenFolds].
type Scored struct {
	Name   string
	Scores assess.Scores
}

// BesidePeers returns the names of the models that are given and of the [Peers] whose
// settings were chosen, except for those in without, and by how many percentage points the
// accuracy of each is ahead of ours, with half of its 95 % interval as the whisker. The model
// with the lowest mean error rate comes first.
func BesidePeers(ours Scored, models []Scored, without ...string) (names []string, bars plotx.ErrorBarGroup) {
	all := slices.Clone(models)
	for _, p := range Peers() {
		if p.Tried > 1 && !slices.Contains(without, p.Name) {
			all = append(all, Scored{"Python: " + p.Name, p.Scores})
		}
	}
	slices.SortStableFunc(all, func(a, b Scored) int { return cmp.Compare(a.Scores.Mean(), b.Scores.Mean()) })
	for _, m := range all {
		points, half := ahead(m.Scores, ours.Scores)
		names = append(names, m.Name)
		bars.Values, bars.Err = append(bars.Values, points), append(bars.Err, half)
	}
	return names, bars
}

// Answers are a model, the classes that it predicts for the people of the test file, and
// its accuracy on the data set that it was fitted to.
type Answers struct {
	Name      string
	Predicted []int
	Train     float64
}

// AnswersOf fits a model to one data set and predicts the classes of another.
func AnswersOf[M mlcore.Classifier](name string, learn func(ds *mlcore.Dataset) (M, error), train, test *mlcore.Dataset) Answers {
	m, err := learn(train)
	orPanic(err)
	predicted, err := m.Predict(test.X)
	orPanic(err)
	fitted, err := m.Predict(train.X)
	orPanic(err)
	return Answers{name, predicted, 1 - assess.ErrorRate(fitted, train.Y)}
}

// A FoldDifference says by how many percentage points the accuracy of Second is higher
// than that of First on the ten folds.
type FoldDifference struct {
	First  string  `table:"first"`
	Second string  `table:"second"`
	Points float64 `table:"points ahead"`
	Low    float64 `table:"95 % from"`
	High   float64 `table:"to"`
	T      float64 `table:"corrected t"`
	Holm   string  `table:"p (Holm)"`
}

// OnFolds compares pairs of models by the corrected t test of [assess.Compare]. The
// intervals are of 95 % each; the p-values are corrected by Holm's method for all pairs
// together.
func OnFolds(pairs ...[2]Scored) (rows []FoldDifference) {
	var p []float64
	for _, pair := range pairs {
		c := assess.Compare(pair[0].Name, pair[0].Scores, pair[1].Name, pair[1].Scores)
		points, half := ahead(pair[1].Scores, pair[0].Scores)
		rows = append(rows, FoldDifference{First: pair[0].Name, Second: pair[1].Name, Points: points,
			Low: points - half, High: points + half, T: c.T})
		p = append(p, c.P)
	}
	for i, text := range holm(p) {
		rows[i].Holm = text
	}
	return rows
}

// A TestDifference compares two fitted models person by person.
type TestDifference struct {
	First      string  `table:"first"`
	Second     string  `table:"second"`
	OnlyFirst  int     `table:"only first right"`
	OnlySecond int     `table:"only second right"`
	Points     float64 `table:"points ahead"`
	Low        float64 `table:"95 % from"`
	High       float64 `table:"to"`
	Holm       string  `table:"p (Holm)"`
}

// OnTest compares pairs of models on the same people, whose classes are y. Points is by
// how many percentage points the accuracy of Second is higher, with Newcombe's interval of
// 95 % for paired rates. The p-values are those of McNemar's exact test, corrected by
// Holm's method for all pairs together.
func OnTest(y []int, pairs ...[2]Answers) (rows []TestDifference) {
	var p []float64
	for _, pair := range pairs {
		counts, err := sigtest.CountPairs(y, pair[0].Predicted, pair[1].Predicted)
		orPanic(err)
		in, err := sigtest.NewcombeInterval(counts, 0.95)
		orPanic(err)
		result, err := sigtest.McNemarExact(counts.OnlyFirstWrong, counts.OnlySecondWrong, sigtest.TwoSided)
		orPanic(err)
		rows = append(rows, TestDifference{First: pair[0].Name, Second: pair[1].Name,
			OnlyFirst: counts.OnlySecondWrong, OnlySecond: counts.OnlyFirstWrong,
			Points: 100 * in.Estimate, Low: 100 * in.Lower, High: 100 * in.Upper})
		p = append(p, result.PValue)
	}
	for i, text := range holm(p) {
		rows[i].Holm = text
	}
	return rows
}

// adjusted returns p-values that are corrected together by Holm's method. One that is not
// a number, where there was nothing to test, stays so and does not count.
func adjusted(p []float64) []float64 {
	var tested []float64
	for _, v := range p {
		if !math.IsNaN(v) {
			tested = append(tested, v)
		}
	}
	out, next := make([]float64, len(p)), 0
	if len(tested) == 0 {
		copy(out, p)
		return out
	}
	a, err := sigtest.Holm(tested, 0.05)
	orPanic(err)
	for i, v := range p {
		if out[i] = v; !math.IsNaN(v) {
			out[i], next = a.Adjusted[next], next+1
		}
	}
	return out
}

// holm returns the corrected p-values in words.
func holm(p []float64) []string {
	words := make([]string, len(p))
	for i, v := range adjusted(p) {
		words[i] = pInWords(v)
	}
	return words
}

// pInWords is a p-value in words, with three digits, "< 0.001" at least.
func pInWords(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// A TestScore is a model's accuracy on the training file, and on the test file with
// Wilson's interval of 95 %.
type TestScore struct {
	Name     string  `table:"model"`
	Train    float64 `table:"training accuracy"`
	Accuracy float64 `table:"test accuracy"`
	Low      float64 `table:"95 % from"`
	High     float64 `table:"to"`
}

// ScoreOf returns the row of a model with these accuracies, where the test file has n people.
func ScoreOf(name string, train, accuracy float64, n int) TestScore {
	in, err := sigtest.WilsonInterval(int(math.Round(accuracy*float64(n))), n, 0.95)
	orPanic(err)
	return TestScore{name, train, accuracy, in.Lower, in.Upper}
}
